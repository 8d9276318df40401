import { type Filter, filter as testOf, parse } from 'scim2-parse-filter';
import { invalidFilter } from '../scim-errors.ts';

export type { Filter };

const LONGEST_FILTER = 2000;
/** The parser takes exponential time on line breaks after an open quote. */
const controlCharacter = /\p{Cc}/u;
const coreUrn = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;
/** The only case-sensitive attribute. Our IDs and names never differ by case only. */
const caseSensitive = 'externalid';

/** Parses a filter of RFC 7644, 3.4.2.2. Throws the refusal `invalid_filter`. */
export function filterOf(text: string): Filter {
  if (text.length > LONGEST_FILTER || controlCharacter.test(text))
    throw invalidFilter(`A filter is one line of at most ${LONGEST_FILTER} characters.`);
  try {
    return comparable(parse(text));
  } catch {
    throw invalidFilter('The filter cannot be read. It must be like userName eq "ann@example.org".');
  }
}

/** A test for resources that match the filter, without regard to case. */
export function matcherOf(filter: Filter): (resource: object) => boolean {
  const test = testOf(filter);
  return (resource) => test(folded(resource));
}

/** The lower-case value that the filter requires of an attribute. Null if it requires none. */
export function requiredValue(filter: Filter, path: string): string | null {
  switch (filter.op) {
    case 'eq':
      return filter.attrPath.toLowerCase() === path && typeof filter.compValue === 'string' ? filter.compValue : null;
    case 'and':
      return filter.filters.map((each) => requiredValue(each, path)).find((value) => value !== null) ?? null;
    case '[]': {
      const head = `${filter.attrPath.toLowerCase()}.`;
      return path.startsWith(head) ? requiredValue(filter.valFilter, path.slice(head.length)) : null;
    }
    default:
      return null;
  }
}

/** Whether the filter uses an attribute. */
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

/** Removes the URN prefix of attribute names, and folds texts in the same way as the resources. */
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
  if (typeof value !== 'string' || path === caseSensitive) return value;
  const text = value.toLowerCase();
  // Some clients put booleans in quotes.
  return path === 'active' && (text === 'true' || text === 'false') ? text === 'true' : text;
}

function folded(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return name.toLowerCase() === caseSensitive ? value : value.toLowerCase();
  if (Array.isArray(value)) return value.map((item) => folded(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, folded(member, key)]));
}
