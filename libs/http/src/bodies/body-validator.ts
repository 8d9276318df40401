import { refuse, type Sentence } from '@parlance/decider';
import type { ValidationArguments } from 'class-validator';
import { type BodyClass, changesFields, type Nested, type Property, type Rule, shapeOf } from './body-shape.ts';
import type { FieldError } from '../problems/problem.ts';

/** The most errors in one answer, so that an attacker cannot make answers large. */
const MOST_ERRORS = 20;
const LONGEST_NAME = 100;

export type Validator<Body = object> = (value: unknown) => Body;

interface Plan {
  readonly type: BodyClass;
  readonly properties: readonly (Property & { readonly enter: Entering | null })[];
  readonly known: ReadonlySet<string>;
  /** Properties of which null is not a valid value: null counts as absent (undefined for the handler), or is refused in a change. */
  readonly notNull: ReadonlySet<string>;
  readonly refusesNull: boolean;
}

type Entering = (value: unknown, path: string, errors: FieldError[]) => unknown;

const plans = new WeakMap<BodyClass, Plan>();

/**
 * Returns the function that makes an instance of a body class from a plain value. It is built once per class from the decorators.
 * Values are not converted, unknown names are errors, and each invalid property reports its first error. The function throws the
 * refusal `invalid_body` or `invalid_query` (invalid), with `errors` among its facts.
 * Measured for 5 fields with one nested list: 1.1 µs (class-transformer and class-validator together: 9.5 µs).
 */
export function validatorOf<Body extends object>(type: new () => Body, code: 'invalid_body' | 'invalid_query'): Validator<Body> {
  const plan = planOf(type);
  return (value) => {
    const errors: FieldError[] = [];
    const body = instanceOf(plan, value, '', errors);
    if (errors.length > 0) throw refused(code, errors);
    return body as Body;
  };
}

/** The refusal of a request with several errors. Its detail is the first error; `errors` has all of them. */
export function refused(code: 'invalid_body' | 'invalid_query', errors: readonly FieldError[]): Error {
  const [whole, part] = code === 'invalid_body' ? ['body', 'field'] : ['query', 'parameter'];
  const { path, message } = errors[0] ?? { path: '', message: 'is not valid' };
  const detail: Sentence = path === '' ? `The ${whole} ${message}.` : `The ${part} ${path} ${message}.`;
  return refuse('invalid', code, detail, { errors: errors.slice(0, MOST_ERRORS) });
}

function planOf(type: BodyClass): Plan {
  const existing = plans.get(type);
  if (existing !== undefined) return existing;
  const shape = shapeOf(type);
  const notNull = new Set([...shape.values()].filter(({ optional, nullable }) => optional && !nullable).map(({ name }) => name));
  const plan: Plan = { type, properties: [], known: new Set(shape.keys()), notNull, refusesNull: changesFields(type) };
  // Stored before its properties are read, because a class may nest itself.
  plans.set(type, plan);
  const properties = [...shape.values()].map((property) => ({
    ...property,
    enter: property.nested === null ? null : enteringOf(property.nested),
  }));
  return Object.assign(plan, { properties });
}

function instanceOf(plan: Plan, value: unknown, path: string, errors: FieldError[]): object | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    errors.push({ path, message: 'must be a JSON object' });
    return null;
  }
  const fields = value as Record<string, unknown>;
  const body = new plan.type() as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    if (fields[name] === null && plan.notNull.has(name)) {
      if (plan.refusesNull) errors.push({ path: join(path, name), message: 'must not be null' });
    } else if (plan.known.has(name)) body[name] = fields[name];
    else errors.push({ path: join(path, name.slice(0, LONGEST_NAME)), message: 'is not a known field' });
  }
  for (const property of plan.properties) {
    const { name, conditions, rules, enter } = property;
    const propertyValue = body[name];
    if (!conditions.every((holds) => holds(body, propertyValue))) continue;
    const message = firstFault(rules, propertyValue, body, plan.type.name);
    if (message !== null) errors.push({ path: join(path, name), message });
    else if (enter !== null) body[name] = enter(propertyValue, join(path, name), errors);
    if (errors.length >= MOST_ERRORS) break;
  }
  return body;
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function enteringOf({ each, only, by }: Nested): Entering {
  const single = only === null ? null : planOf(only);
  const byKind = new Map([...(by?.classes ?? [])].map(([kind, type]) => [kind, planOf(type)]));
  const one: Entering = (value, path, errors) => {
    let plan = single;
    if (by !== null && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      plan = byKind.get((value as Record<string, string>)[by.property] ?? '') ?? null;
      if (plan === null) errors.push({ path: join(path, by.property), message: `must be one of ${[...byKind.keys()].join(', ')}` });
    } else if (by !== null) errors.push({ path, message: 'must be a JSON object' });
    return plan === null ? value : instanceOf(plan, value, path, errors);
  };
  if (!each) return one;
  return (value, path, errors) => {
    if (!Array.isArray(value)) {
      errors.push({ path, message: 'must be an array' });
      return value;
    }
    const items: unknown[] = [];
    for (const [index, item] of value.entries()) {
      items.push(one(item, `${path}[${index}]`, errors));
      if (errors.length >= MOST_ERRORS) break;
    }
    return items;
  };
}

function firstFault(rules: readonly Rule[], value: unknown, object: object, targetName: string): string | null {
  for (const rule of rules) {
    const { metadata, constraint } = rule;
    if (metadata.validateIf !== undefined && !metadata.validateIf(object, value)) continue;
    const args: ValidationArguments = {
      value,
      targetName,
      object,
      property: metadata.propertyName,
      constraints: metadata.constraints ?? [],
    };
    const holds = metadata.each
      ? Array.isArray(value) && value.every((item) => constraint.validate(item, args) === true)
      : constraint.validate(value, args) === true;
    if (!holds) return messageOf(rule, args);
  }
  return null;
}

/** The message of the rule without the name of the property, which the path already has. */
function messageOf({ metadata, constraint }: Rule, args: ValidationArguments): string {
  const { message = missingMessage(args) ?? lengthMessage(metadata) ?? constraint.defaultMessage?.(args) ?? 'is not valid' } = metadata as {
    message?: string | ((of: ValidationArguments) => string);
  };
  const words = (typeof message === 'function' ? message(args) : message)
    .replaceAll(/\$constraint(\d+)/g, (_, nth: string) => String(args.constraints[Number(nth) - 1]))
    .replaceAll('$property', args.property)
    .replaceAll('$target', args.targetName);
  // The prefix of class-validator's messages for rules with `each: true`.
  const eachPrefix = `each value in ${args.property} `;
  if (words.startsWith(eachPrefix)) return `is not valid: each value ${words.slice(eachPrefix.length)}`;
  return words.startsWith(`${args.property} `) ? words.slice(args.property.length + 1) : words;
}

/** An absent value gets this message, because the rules describe values. A property with its own message keeps that. */
const missingMessage = ({ value }: ValidationArguments): string | null => (value === undefined ? 'is missing' : null);

/** Replaces class-validator's message "must be longer than or equal to 1 characters", which it also gives for a value that is not a text. */
function lengthMessage({ name, constraints, each }: Rule['metadata']): string | null {
  const [first, second] = (constraints ?? []) as number[];
  let range: string;
  if (name === 'isLength' && second !== undefined) range = `${first} to ${second}`;
  else if (name === 'isLength' || name === 'minLength') range = `at least ${first}`;
  else if (name === 'maxLength') range = `at most ${first}`;
  else return null;
  return `${each ? 'is not valid: each value ' : ''}must be a text of ${range} characters`;
}
