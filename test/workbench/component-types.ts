/**
 * A Svelte component as TypeScript that says the same of types: the compiler proper looks at neither scripts nor markup of
 * components. Blocks become `if` and `for`, expressions become statements, components become calls with their properties.
 */
import { type AST, parse } from "svelte/compiler";

interface Piece {
	readonly start: number;
	readonly end: number;
}

/** Handlers know their event and its element. */
const prelude = `declare function $on<Tag extends string, Kind extends string>(
	handler: (
		event: (Kind extends keyof WindowEventMap ? WindowEventMap[Kind] : Event) & {
			currentTarget: Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : Window;
		},
	) => unknown,
): void;
declare function $settled<T>(of: Promise<T>): T[];
`;

export function componentTypes(source: string): string {
	const { instance, fragment } = parse(source, { modern: true });
	const text = ({ start, end }: Piece): string => source.slice(start, end);
	const generic = /<script[^>]*\sgenerics="(\w+)"/.exec(source)?.[1];
	const script = instance ? text(instance.content as unknown as Piece) : "";
	const [, props = "{}"] = /:\s*(\{[^=]*\}|\w+)\s*=\s*\$props\(\)/.exec(script) ?? [];
	const lines: string[] = [];
	const write = (line: string): void => void lines.push(line);
	const use = (piece: unknown): void => write(`void (${text(piece as Piece)});`);

	function attribute(each: AST.RegularElement["attributes"][number], tag: string): void {
		if (each.type === "Attribute" && each.value !== true) {
			for (const value of Array.isArray(each.value) ? each.value : [each.value])
				if (value.type === "ExpressionTag") {
					const expression = text(value.expression as unknown as Piece);
					if (each.name.startsWith("on")) write(`$on<"${tag}", "${each.name.slice(2)}">(${expression});`);
					else write(`void (${expression});`);
				}
		} else if (each.type === "UseDirective") {
			const argument = each.expression ? `, ${text(each.expression as unknown as Piece)}` : "";
			write(`${each.name}(null! as HTMLElement${argument});`);
		} else if (each.type === "BindDirective" && each.name === "this")
			write(`${text(each.expression as unknown as Piece)} = null!;`);
		else if ("expression" in each && each.expression) use(each.expression);
	}

	function property(each: AST.Component["attributes"][number]): string {
		if (each.type !== "Attribute") throw new Error(`${each.type} of a component is not known here`);
		if (each.value === true) return `${each.name}: true`;
		const parts = Array.isArray(each.value) ? each.value : [each.value];
		if (parts.length === 1 && parts[0].type === "ExpressionTag")
			return `${each.name}: ${text(parts[0].expression as unknown as Piece)}`;
		const pieces = parts.map((part) =>
			part.type === "Text" ? part.data : `\${${text(part.expression as unknown as Piece)}}`,
		);
		return `${each.name}: \`${pieces.join("")}\``;
	}

	function block(open: string, inner: AST.Fragment): void {
		write(`${open} {`);
		for (const node of inner.nodes) visit(node);
		write("}");
	}

	function visit(node: AST.Fragment["nodes"][number]): void {
		switch (node.type) {
			case "Text":
			case "Comment":
				return;
			case "ExpressionTag":
			case "HtmlTag":
			case "RenderTag":
				return use(node.expression);
			case "ConstTag":
				return write(`${text(node.declaration as unknown as Piece).replace(/;?$/, ";")}`);
			case "IfBlock":
				block(`if (${text(node.test as unknown as Piece)})`, node.consequent);
				if (node.alternate) block("else", node.alternate);
				return;
			case "EachBlock": {
				const item = node.context ? text(node.context as unknown as Piece) : "$item";
				if (node.index) write(`for (let ${node.index} = 0; ${node.index} < 1; ${node.index}++)`);
				return block(`for (const ${item} of ${text(node.expression as unknown as Piece)})`, node.body);
			}
			case "AwaitBlock": {
				if (node.pending) block("", node.pending);
				const awaited = text(node.expression as unknown as Piece);
				if (node.then) {
					const value = node.value ? text(node.value as unknown as Piece) : "";
					block(`for (const ${value || "$value"} of $settled(${awaited}))`, node.then);
				}
				if (node.catch) {
					const error = node.error ? text(node.error as unknown as Piece) : "$error";
					block(`for (const ${error} of [] as unknown[])`, node.catch);
				}
				return;
			}
			case "KeyBlock":
				use(node.expression);
				return block("", node.fragment);
			case "SnippetBlock": {
				const parameters = node.parameters.map((each) => text(each as unknown as Piece));
				return block(`function ${node.expression.name}(${parameters.join(", ")}): void`, node.body);
			}
			case "Component":
				write(`${node.name}({ ${node.attributes.map(property).join(", ")} });`);
				return block("", node.fragment);
			case "RegularElement":
			case "SvelteWindow":
				for (const each of node.attributes) attribute(each, node.name);
				return block("", node.fragment);
			default:
				throw new Error(`${node.type} is not known here`);
		}
	}
	for (const node of fragment.nodes) visit(node);
	// The type that is left open belongs to the properties; inside the component anything may stand for it.
	const of = generic ? `<${generic}>` : "";
	const body = generic
		? script
				.replace(`interface ${props} `, `interface ${props}${of} `)
				.replace(`: ${props} =`, `: ${props}<any> =`)
		: script;
	return `${prelude}${body}
declare function $component${of}(props: ${props}${of}): void;
export default $component;
export function $markup() {
${lines.join("\n")}
}
`;
}
