import { MAX_PROMPT_VARIABLES, MAX_VARIABLE_NAME, MAX_VARIABLE_OPTIONS } from './prompt-limits.ts';

/** A part of a prompt that its user fills in. */
export interface PromptVariable {
  readonly name: string;
  /** Null if the text has none: the user must enter a value. Empty: the variable may stay empty. */
  readonly default: string | null;
  /** The values to choose from. Empty if any text may be entered. */
  readonly options: readonly string[];
}

/** The variables of a text in the order of their first use, and what is wrong with the text; null if nothing is. */
export interface ParsedPrompt {
  readonly variables: readonly PromptVariable[];
  readonly fault: string | null;
}

const FORMS = 'write {{name}}, {{name:default}} or {{name|one|two}}, and \\{{ for braces that are text';
const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;
const NAME_RULE = `a letter or _, then letters, digits, _ or -, ${MAX_VARIABLE_NAME} characters at most`;

/** Finds `{{name}}`, `{{name:default}}` and `{{name|one|two}}`. A repeated variable has no other default or options than before. */
export function parsePrompt(text: string): ParsedPrompt {
  const found = new Map<string, PromptVariable>();
  const faultAt = (position: number, what: string): ParsedPrompt => {
    const line = text.slice(0, position).split('\n').length;
    return { variables: [...found.values()], fault: `has a placeholder in line ${line} ${what}: ${FORMS}` };
  };
  for (let at = text.indexOf('{{'); at >= 0;) {
    let next = at + 2;
    if (text[at - 1] !== '\\') {
      const end = text.indexOf('}}', next);
      const inside = end < 0 ? '' : text.slice(next, end);
      if (end < 0 || inside.includes('\n')) return faultAt(at, 'without }} in the same line');
      const variable = variableOf(inside);
      if (typeof variable === 'string') return faultAt(at, variable);
      const known = found.get(variable.name);
      if (known && isDefined(known) && isDefined(variable) && !isSame(known, variable))
        return faultAt(at, 'that gives a variable another default or other options than before');
      if (!known || !isDefined(known)) found.set(variable.name, variable);
      if (found.size > MAX_PROMPT_VARIABLES) return faultAt(at, `with variable ${found.size} of at most ${MAX_PROMPT_VARIABLES}`);
      next = end + 2;
    }
    at = text.indexOf('{{', next);
  }
  return { variables: [...found.values()], fault: null };
}

/** What is wrong, as text, if this is no variable. The first separator decides, so a default may contain `|`, and an option `:`. */
function variableOf(inside: string): PromptVariable | string {
  const separator = inside.search(/[:|]/);
  const name = (separator < 0 ? inside : inside.slice(0, separator)).trim();
  if (!NAME.test(name) || name.length > MAX_VARIABLE_NAME) return `whose name is not ${NAME_RULE}`;
  if (separator < 0) return { name, default: null, options: [] };
  const rest = inside.slice(separator + 1);
  if (inside[separator] === ':') return { name, default: rest.trim(), options: [] };
  const options = rest.split('|').map((option) => option.trim());
  if (options.length < 2 || options.length > MAX_VARIABLE_OPTIONS) return `without 2 to ${MAX_VARIABLE_OPTIONS} options`;
  if (options.includes('') || new Set(options).size < options.length) return 'with an empty or a repeated option';
  return { name, default: null, options };
}

const isDefined = (variable: PromptVariable) => variable.default !== null || variable.options.length > 0;

const isSame = (one: PromptVariable, other: PromptVariable) =>
  one.default === other.default && one.options.join('|') === other.options.join('|');
