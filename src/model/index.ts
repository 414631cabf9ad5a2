/** Public entry of the model: the language, the graph, derivatives, structure and printing. */
export { expandBases } from "./basis.ts";
export { type CombinationWeight, expandCombinations } from "./combination.ts";
export { constantValue } from "./constant.ts";
export { Differentiator } from "./derivative.ts";
export {
	type DistributionDescription,
	describeModel,
	type KnowledgeDescription,
	type ModelDescription,
	type ValueDescription,
} from "./describe.ts";
export { type Diagnostic, ModelError, position, renderDiagnostics } from "./diagnostic.ts";
export { evaluate } from "./evaluate.ts";
export { foldFormulaInputs } from "./formula-inputs.ts";
export { compareNodes, Graph, GraphLimitError, type Node, type Op } from "./graph.ts";
export { parseModel } from "./language/parse-model.ts";
export { declarationKeywords } from "./language/syntax/syntax.ts";
export {
	bases,
	distributions,
	errorDistributions,
	functionNames,
	functionProcesses,
	inputProcesses,
} from "./language/vocabulary.ts";
export type * from "./model.ts";
export { equationToPlain, printEquation, printExpression, toPlain } from "./print/expression.ts";
export { equationMathML, type MathMLOptions, toMathML } from "./print/mathml.ts";
export { printModel } from "./print/model.ts";
export { equationTex, letTex } from "./print/tex.ts";
export type { Rational } from "./rational.ts";
export { type AffineForm, affineIn } from "./structure/affine.ts";
export { type Discontinuity, discontinuities } from "./structure/discontinuity.ts";
export { freeInitials, freeParams, type InitialValue, paramsOfKind } from "./structure/free.ts";
export { vanishes } from "./structure/identity.ts";
export { degreeIn, polynomialIn } from "./structure/polynomial.ts";
export { dependencyBlocks, type Structure, structureOf } from "./structure/structure.ts";
export { mapNodes, substitute, symbolsOf, topological } from "./walk.ts";
export type { Verdict } from "./within-reach.ts";
