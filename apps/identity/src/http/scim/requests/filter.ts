import { type Filter, filter as testOf, parse } from 'scim2-parse-filter';
import { invalidFilter } from '../scim-errors.ts';

export type { Filter };

const LONGEST_FILTER = 2000;
/** The parser takes a time that doubles with each line break after an open quote. */
const notText = /\p{Cc}/u;
const coreUrn = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;
/** Of all that a filter can ask for, capitals matter here alone: ids and names of ours differ by more than their case. */
const exact = 'externalid';

/** A filter of RFC 7644, 3.4.2.2, ready to be asked. Throws the refusal `invalid_filter`. */
export function filterOf(text: string): Filter {
  if (text.length > LONGEST_FILTER || notText.test(text))
    throw invalidFilter(`A filter is one line of at most ${LONGEST_FILTER} characters.`);
  try {
    return comparable(parse(text));
  } catch {
    throw invalidFilter('The filter cannot be read. It must be like userName eq "ann@example.org".');
  }
}

/** Tells whether a resource is one that the filter asks for, whatever the case of its texts. */
export function matcherOf(filter: Filter): (resource: object) => boolean {
  const test = testOf(filter);
  return (resource) => test(folded(resource));
}

/** The value, in small letters, that an attribute of everything found must have; null where the filter demands none. */
export function demanded(filter: Filter, path: string): string | null {
  switch (filter.op) {
    case 'eq':
      return filter.attrPath.toLowerCase() === path && typeof filter.compValue === 'string' ? filter.compValue : null;
    case 'and':
      return filter.filters.map((each) => demanded(each, path)).find((its) => its !== null) ?? null;
    case '[]': {
      const head = `${filter.attrPath.toLowerCase()}.`;
      return path.startsWith(head) ? demanded(filter.valFilter, path.slice(head.length)) : null;
    }
    default:
      return null;
  }
}

/** Whether what the filter finds depends on an attribute. */
export function mentions(filter: Filter, attribute: string): boolean {
  switch (filter.op) {
    case 'and':
    case 'or':
      return filter.filters.some((each) => mentions(each, attribute));
    case 'not':
      return mentions(filter.filter, attribute);
    default:
      return filter.attrPath.toLowerCase().split('.')[0] === attribute;
  }
}

/** Names without the prefix that they may have, and texts folded as those of the resources are. */
function comparable(filter: Filter): Filter {
  switch (filter.op) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map(comparable) };
    case 'not':
      return { ...filter, filter: comparable(filter.filter) };
    case '[]':
      return { ...filter, attrPath: bare(filter.attrPath), valFilter: comparable(filter.valFilter) };
    case 'pr':
      return { ...filter, attrPath: bare(filter.attrPath) };
    default: {
      const attrPath = bare(filter.attrPath);
      return { ...filter, attrPath, compValue: foldedValue(attrPath.toLowerCase(), filter.compValue) };
    }
  }
}

const bare = (path: string): string => path.replace(coreUrn, '');

function foldedValue<Value>(path: string, value: Value): Value | string | boolean {
  if (typeof value !== 'string' || path === exact) return value;
  const text = value.toLowerCase();
  // Some clients put booleans in quotes.
  return path === 'active' && (text === 'true' || text === 'false') ? text === 'true' : text;
}

function folded(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return name.toLowerCase() === exact ? value : value.toLowerCase();
  if (Array.isArray(value)) return value.map((item) => folded(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, folded(member, key)]));
}
