/** How a name is typeset: `k3` is k with an index 3, `omega_n` is ω with an index n, `mInf` stays a word. */
const lower =
	"alpha:α beta:β gamma:γ delta:δ epsilon:ε zeta:ζ eta:η theta:θ iota:ι kappa:κ lambda:λ mu:μ nu:ν xi:ξ omicron:ο rho:ρ sigma:σ tau:τ upsilon:υ phi:φ chi:χ psi:ψ omega:ω pi:π";
const upper = "Gamma:Γ Delta:Δ Theta:Θ Lambda:Λ Xi:Ξ Pi:Π Sigma:Σ Upsilon:Υ Phi:Φ Psi:Ψ Omega:Ω";
const greek = new Map(`${lower} ${upper}`.split(" ").map((pair) => pair.split(":") as [string, string]));

export interface SymbolName {
	readonly base: string;
	readonly index?: string;
}

export function splitName(name: string): SymbolName {
	const match = /^(.*?[^\d_])_?(\d+)$/u.exec(name) ?? /^([^_]+)_(.+)$/u.exec(name);
	const [base, index] = match ? [match[1], match[2]] : [name, undefined];
	return { base: greek.get(base) ?? base, ...(index !== undefined && { index: greek.get(index) ?? index }) };
}
