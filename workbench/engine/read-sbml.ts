/** SBML, apart from what the first view needs. */
export { model as readSbml } from "../../src/index.ts";
