import { refuse } from '@parlance/decider';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { type BodyClass, type Property, shapeOf } from '../bodies/body-shape.ts';
import { refused, type Validator, validatorOf } from '../bodies/body-validator.ts';
import type { FieldError } from '../problems/problem.ts';

/** A parsed query string. Repeated names keep all their values, so that they can be refused. */
export type QueryString = Readonly<Record<string, string | readonly string[]>>;

/** Stands for a query string that is not percent-encoded UTF-8. Validation refuses it. */
const UNREADABLE = '\u0000unreadable';

/** Fastify's `querystringParser`. It must not throw, because Fastify calls it outside its error handling; the result reports errors. */
export function parseQueryString(text: string): QueryString {
  const query = Object.create(null) as Record<string, string | string[]>;
  if (text === '') return query;
  try {
    for (const pair of text.split('&')) {
      if (pair === '') continue;
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals));
      const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
      const earlier = query[name];
      query[name] = earlier === undefined ? value : [earlier, value].flat();
    }
  } catch {
    query[UNREADABLE] = '';
  }
  return query;
}

const decode = (text: string): string => decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text);

/**
 * Validates query parameters by a class whose properties declare their TypeScript types (string, number, boolean). A number must be an integer
 * that a double represents exactly; a boolean must be `true` or `false`. Unknown or repeated parameters and NUL are errors. The validator throws
 * the refusal `invalid_query` (invalid).
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
        if (its === undefined) errors.push({ path: name, message: `must be ${nameOf(convert)}` });
        else converted[name] = its;
      }
    }
    if (errors.length > 0) throw refused('invalid_query', errors);
    return validate(converted);
  };
}

/** For routes without query parameters. Throws the refusal `invalid_query` (invalid) if the request has any. */
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

const nameOf = (conversion: Conversion | undefined): string => (conversion === toInteger ? 'an integer' : 'true or false');

function conversionOf(owner: string, { name, designType }: Property): Conversion {
  if (designType === Number) return toInteger;
  if (designType === Boolean) return toBoolean;
  if (designType === String) return asText;
  throw new Error(`${owner}.${name}: the type of a query parameter must be string, number or boolean`);
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Whether a text is a ULID: 26 capital characters of Crockford's base 32. */
export const isUlid = (text: string): boolean => ULID.test(text);
export const ULID_PATTERN = ULID.source;

/** Throws the refusal `invalid_id` (invalid), naming the parameter. */
export function requireUlid(name: string, text: string): string {
  if (isUlid(text)) return text;
  throw refuse('invalid', 'invalid_id', `The parameter ${name} must be a ULID.`, { errors: [{ path: name, message: 'must be a ULID' }] });
}

/** The `limit` of a list: 1 to 1000. The property must have the initial value 100, which is the default. */
export function Limit(most = 1000): PropertyDecorator {
  return (target, name) => {
    // An initial value without a type annotation emits no type.
    Reflect.defineMetadata('design:type', Number, target, name);
    for (const decorate of [IsOptional(), IsInt(), Min(1), Max(most)]) decorate(target, name as string);
  };
}

/** The query of a list with pages. */
export class PageQuery {
  @Limit() limit: number = 100;
  @IsOptional() @IsString() next_token?: string;
}
