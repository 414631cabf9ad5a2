/** log √(2π): what makes exp(-x²/2) a density. */
export const halfLogTwoPi = 0.9189385332046728;
