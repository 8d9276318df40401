import { refuse } from '@parlance/decider';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { type BodyClass, type Property, shapeOf } from '../bodies/body-shape.ts';
import { refused, type Validator, validatorOf } from '../bodies/body-validator.ts';
import type { FieldError } from '../problems/problem.ts';

/** What one name of a query string came to; more than one value for a name is kept, so that it can be refused. */
export type QueryString = Readonly<Record<string, string | readonly string[]>>;

/** In place of a query string that is not percent-encoded UTF-8: the reader of the query refuses it. */
const UNREADABLE = '\u0000unreadable';

/** Fastify's `querystringParser`. It may not throw (Fastify calls it outside of its error handling), so faults are told by the result. */
export function parseQueryString(text: string): QueryString {
  const query = Object.create(null) as Record<string, string | string[]>;
  if (text === '') return query;
  try {
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
      const before = query[name];
      query[name] = before === undefined ? value : [before, value].flat();
    }
  } catch {
    query[UNREADABLE] = '';
  }
  return query;
}

const decode = (text: string): string => decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text);

/**
 * A validator of query parameters declared by a class, each property's TypeScript type (string, number, boolean) said.
 * Text becomes a number only as a plain integer that a double holds exactly, a boolean only as `true` or `false`;
 * unknown parameters, parameters given twice and NUL are errors. It throws the refusal `invalid_query` (invalid).
 */
export function queryValidatorOf<Query extends object>(type: new () => Query): Validator<Query> {
  const conversions = new Map(
    [...shapeOf(type as BodyClass).values()].map((property) => [property.name, conversionOf(type.name, property)]),
  );
  const validate = validatorOf(type, 'invalid_query');
  return (value) => {
    const errors: FieldError[] = [];
    const converted: Record<string, unknown> = {};
    for (const [name, given] of Object.entries(value as QueryString)) {
      const convert = conversions.get(name);
      const fault = faultOf(name, given, convert !== undefined);
      if (fault !== null) errors.push(fault);
      else {
        const its = convert?.(given as string);
        if (its === undefined) errors.push({ path: name, message: `must be ${wordFor(convert)}` });
        else converted[name] = its;
      }
    }
    if (errors.length > 0) throw refused('invalid_query', errors);
    return validate(converted);
  };
}

/** For routes that take no query at all. Throws the refusal `invalid_query` (invalid) when there is one. */
export function refuseQuery(query: QueryString): void {
  for (const name in query) throw refused('invalid_query', [faultOf(name, query[name] ?? '', false) ?? { path: '', message: name }]);
}

function faultOf(name: string, given: string | readonly string[], known: boolean): FieldError | null {
  if (name === UNREADABLE) return { path: '', message: 'must be percent-encoded UTF-8' };
  if (!known) return { path: name.slice(0, 100), message: 'is not a known parameter' };
  if (typeof given !== 'string') return { path: name, message: 'is given more than once' };
  return given.includes('\0') ? { path: name, message: 'has a NUL in it' } : null;
}

type Conversion = (text: string) => unknown;

const INTEGER = /^(?:0|-?[1-9]\d{0,15})$/;

const toInteger: Conversion = (text) => {
  const value = INTEGER.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
};
const toBoolean: Conversion = (text) => (text === 'true' ? true : text === 'false' ? false : undefined);
const asText: Conversion = (text) => text;

const wordFor = (conversion: Conversion | undefined): string => (conversion === toInteger ? 'an integer' : 'true or false');

function conversionOf(owner: string, { name, designType }: Property): Conversion {
  if (designType === Number) return toInteger;
  if (designType === Boolean) return toBoolean;
  if (designType === String) return asText;
  throw new Error(`${owner}.${name}: say string, number or boolean as the type of a query parameter`);
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Whether a text is an id of ours: 26 characters of Crockford's base 32, in capitals. */
export const isUlid = (text: string): boolean => ULID.test(text);
export const ULID_PATTERN = ULID.source;

/** Throws the refusal `invalid_id` (invalid), naming the parameter. */
export function requireUlid(name: string, text: string): string {
  if (isUlid(text)) return text;
  throw refuse('invalid', 'invalid_id', `The parameter ${name} must be a ULID.`, { errors: [{ path: name, message: 'must be a ULID' }] });
}

/** The `limit` of a list: 1 to 1000, by default (which the property's initial value has to say) 100. */
export function Limit(most = 1000): PropertyDecorator {
  return (target, name) => {
    // An initial value without a type annotation leaves no type behind.
    Reflect.defineMetadata('design:type', Number, target, name);
    for (const decorate of [IsOptional(), IsInt(), Min(1), Max(most)]) decorate(target, name as string);
  };
}
