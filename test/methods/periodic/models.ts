/** Oscillators by which the class is tried, as texts, and one more whose cycles form a family. */
export const morrisLecar = `param ECa = -100, EK = 70, EL = 50
param gCa, gK, gL, I, V1, V2, V3, V4, T0
state v, q
let mInf = 0.5*(1 + tanh((v - V1)/V2))
let wInf = 0.5*(1 + tanh((v + V3)/V4))
let tau = T0/cosh((v + V3)/(2*V4))
v' = gCa*mInf*(v + ECa) + gK*q*(v + EK) + gL*(v + EL) + I
q' = (wInf - q)/tau
measure y = v
`;
export const predatorPrey = `param p1, p2, p3, p4, p5, p6
state x, z
x' = p1*x*(1 - x/p2) - p3*z*x/(p4 + x)
z' = p5*z*x/(p4 + x) - p6*z
measure y = x
`;
export const lotkaVolterra = `param a, b, c, d
state x, z
x' = a*x - b*x*z
z' = c*x*z - d*z
measure y = x
`;
export const hodgkinHuxley = `param C = 1, ENa = 50, EK = -77, EL = -54.4
param gNa, gK, gL, I
state V, m, h, n
let am = 0.1*(V + 40)/(1 - exp(-(V + 40)/10))
let bm = 4*exp(-(V + 65)/18)
let ah = 0.07*exp(-(V + 65)/20)
let bh = 1/(1 + exp(-(V + 35)/10))
let an = 0.01*(V + 55)/(1 - exp(-(V + 55)/10))
let bn = 0.125*exp(-(V + 65)/80)
V' = (I - gNa*m^3*h*(V - ENa) - gK*n^4*(V - EK) - gL*(V - EL))/C
m' = am*(1 - m) - bm*m
h' = ah*(1 - h) - bh*h
n' = an*(1 - n) - bn*n
measure y = V
`;
const fitzHughNagumo = `param a, b, c, I
state v, w
v' = v - v^3/3 - w + I
w' = c*(v + a - b*w)
`;
export const fitzHughNagumoV = `${fitzHughNagumo}measure y = v\n`;
export const fitzHughNagumoW = `${fitzHughNagumo}measure y = w\n`;
export const vanDerPol = `param mu, k
state x, s
x' = mu*(x - x^3/3) + s
s' = -k*x
measure y = x
`;
export const goodwin = `param k1, k2, k3, k4, k5, k6
param n = 10
state X, Y, Z
X' = k1/(1 + Z^n) - k2*X
Y' = k3*X - k4*Y
Z' = k5*Y - k6*Z
measure y = Z
`;
const brusselator = `param a, b
state x, y
x' = a + x^2*y - (b + 1)*x
y' = b*x - x^2*y
`;
export const brusselatorX = `${brusselator}measure z = x\n`;
export const brusselatorY = `${brusselator}measure z = y\n`;
export const hindmarshRose = `param a, b, c, d, r, s, xR, I
state x, y, z
x' = y - a*x^3 + b*x^2 - z + I
y' = c - d*x^2 - y
z' = r*(s*(x - xR) - z)
measure v = x
`;
export const roessler = `param a, b, c
state x, y, z
x' = -y - z
y' = x + a*y
z' = b + z*(x - c)
measure v = x
`;
export const lorenz = `param s, r, b
state x, y, z
x' = s*(y - x)
y' = x*(r - z) - y
z' = x*y - b*z
measure v = x
`;
/** Cyclin that is free (u) and bound to cdc2 (v), after Tyson (1991). */
export const cellCycle = `param k1, k4, k4p, k6
state u, v
u' = k4*(v - u)*(k4p/k4 + u^2) - k6*u
v' = k1 - k6*u
measure y = v
`;
/** The protein PER that is phosphorylated twice and enters the nucleus, after Goldbeter (1995). */
export const per = `param vs, vm, vd, k1, k2
state M, P0, P1, P2, PN
M' = vs/(1 + PN^4) - vm*M/(0.5 + M)
P0' = 0.38*M - 3.2*P0/(2 + P0) + 1.58*P1/(2 + P1)
P1' = 3.2*P0/(2 + P0) - 1.58*P1/(2 + P1) - 5*P1/(2 + P1) + 2.5*P2/(2 + P2)
P2' = 5*P1/(2 + P1) - 2.5*P2/(2 + P2) - k1*P2 + k2*PN - vd*P2/(0.2 + P2)
PN' = k1*P2 - k2*PN
measure y = M
`;
