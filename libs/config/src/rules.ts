import { ValidateBy, ValidateNested } from 'class-validator';
import { type Family, isCidr } from './cidr.ts';
import { type Constructor, type Kind, note, type Shape } from './fields.ts';
import { isAddress } from './limits.ts';

type Test = (value: unknown) => boolean;

/** A class-validator decorator that also notes the kind of the value, and its allowed values as the end of a sentence. */
function rule(kind: Kind, allowed: string, holds: Test): PropertyDecorator {
  const check = ValidateBy({ name: 'allowed', validator: { validate: holds, defaultMessage: () => allowed } });
  return (target, property) => {
    note(target, property, { kind, allowed });
    check(target, property);
  };
}

const text = (value: unknown): value is string => typeof value === 'string';
const record = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

export const Text = (allowed: string, pattern: RegExp): PropertyDecorator =>
  rule('text', allowed, (value) => text(value) && pattern.test(value));

export const modelName = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$/;
/** A name of a model, a provider or a route. */
export const ModelName = (): PropertyDecorator => Text('a name of letters, digits and . _ : / @ -', modelName);

export const Region = (): PropertyDecorator => Text('a region name such as us-east-1', /^[A-Za-z0-9-]{1,64}$/);

export const TextBy = (allowed: string, holds: (value: string) => boolean): PropertyDecorator =>
  rule('text', allowed, (value) => text(value) && holds(value));

export const OneOf = (...words: readonly string[]): PropertyDecorator =>
  rule('text', `one of ${words.join(', ')}`, (value) => text(value) && words.includes(value));

export const Whole = (min: number, max: number): PropertyDecorator =>
  rule(
    'number',
    `a whole number from ${min} to ${max}`,
    (value) => Number.isInteger(value) && min <= Number(value) && Number(value) <= max,
  );

export const Dollars = (): PropertyDecorator =>
  rule('number', 'a number of dollars, 0 or more', (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0);

export const Flag = (): PropertyDecorator => rule('flag', 'true or false', (value) => typeof value === 'boolean');

export const ListOf = (allowed: string, holds: (item: string) => boolean): PropertyDecorator =>
  rule('list', `a list of ${allowed}`, (value) => Array.isArray(value) && value.every((item) => text(item) && holds(item)));

export const domainName = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i;

export const DomainNames = (): PropertyDecorator => ListOf('domain names', (item) => domainName.test(item));

/** A map whose keys are any texts and whose values are texts that pass a test. */
export const MapOf = (allowed: string, holds: (item: string) => boolean): PropertyDecorator =>
  rule('object', `a map from ${allowed}`, (value) => record(value) && Object.values(value).every((item) => text(item) && holds(item)));

const example = { 4: '10.0.0.0/8', 6: '2001:db8::/32' };

export function Cidrs(family?: Family): PropertyDecorator {
  const allowed = family ? `IPv${family} ranges such as ${example[family]}` : `address ranges such as ${example[4]} or ${example[6]}`;
  return ListOf(allowed, (item) => isCidr(item, family));
}

/** Credentials are not allowed in an address, because they would be printed with it. */
export function isWebAddress(value: unknown): value is string {
  if (!text(value)) return false;
  const url = URL.parse(value);
  return (
    url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash && /^\S+$/.test(value)
  );
}

const webAddress = 'an http or https address without credentials, query or fragment';

export const WebAddress = (): PropertyDecorator => TextBy(webAddress, isWebAddress);

/** The addresses for one name, from a list or a comma-separated text. */
export const addressesOf = (addresses: string | readonly string[]): readonly string[] =>
  typeof addresses === 'string' ? addresses.split(',').map((address) => address.trim()) : addresses;

function areWebAddresses(value: unknown): boolean {
  if (!text(value) && !Array.isArray(value)) return false;
  const addresses = addressesOf(value as string | string[]);
  return addresses.length > 0 && addresses.every(isWebAddress) && new Set(addresses).size === addresses.length;
}

export const WebAddresses = (): PropertyDecorator =>
  rule(
    'object',
    `a map from names to base addresses (one, a list, or several separated by commas, without duplicates), each ${webAddress}`,
    (value) => record(value) && Object.values(value).every(areWebAddresses),
  );

const isOrigin = (value: string): boolean => isWebAddress(value) && new URL(value).origin === value;

/** Origins in the form that browsers send in `Origin`. Another form would never match. */
export const Origins = (): PropertyDecorator => ListOf('http or https origins such as https://console.example.org', isOrigin);

export const Origin = (): PropertyDecorator => TextBy('an http or https origin such as https://files.example.org', isOrigin);

export const EmailAddress = (): PropertyDecorator => TextBy('an e-mail address', isAddress);

export const FilePath = (): PropertyDecorator => TextBy('a path', (value) => value !== '' && !value.includes('\0'));

export const Timestamp = (): PropertyDecorator =>
  TextBy(
    'a time in RFC 3339, such as 2026-01-31T00:00:00Z',
    (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value)),
  );

const words: Record<Shape['many'], string> = { one: 'an object', list: 'a list of objects', map: 'a map from names to objects' };

/** A value that consists of further keys, declared by a class. */
export function Nested(type: Constructor, many: Shape['many'] = 'one', kind: Kind = 'object'): PropertyDecorator {
  const allowed = words[many] + (kind === 'object-or-file' ? ', or the path of a JSON file that holds it' : '');
  const check = ValidateNested();
  return (target, property) => {
    note(target, property, { kind, allowed, shape: { type, many } });
    check(target, property);
  };
}

/** The allowed names in a map of `Nested` objects. Place this decorator before `Nested`. */
export function Named(allowed: string, pattern: RegExp): PropertyDecorator {
  const isNamed: Test = (value) => !(value instanceof Map) || [...value.keys()].every((name) => pattern.test(name as string));
  const check = ValidateBy({ name: 'named', validator: { validate: isNamed } });
  return (target, property) => {
    note(target, property, { allowed: `a map from names (${allowed}) to objects` });
    check(target, property);
  };
}
