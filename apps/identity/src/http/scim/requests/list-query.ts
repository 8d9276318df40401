import { IsInt, IsOptional, IsString } from 'class-validator';

/** The attributes to show, separated by commas. By default all. */
export class ShownQuery {
  @IsOptional() @IsString() attributes?: string;
  @IsOptional() @IsString() excludedAttributes?: string;
}

export class ListQuery extends ShownQuery {
  @IsOptional() @IsString() filter?: string;
  /** The position of the first result, counted from 1. */
  @IsOptional() @IsInt() startIndex: number = 1;
  @IsOptional() @IsInt() count: number = 100;
  /** Accepted and ignored, as the standard allows servers that cannot sort. */
  @IsOptional() @IsString() sortBy?: string;
  @IsOptional() @IsString() sortOrder?: string;
}

export const MOST_RESULTS = 200;
export const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** The start of a page, counted from 0, and its size. Values out of bounds are clamped, as RFC 7644 requires. */
export const pageOf = ({ startIndex, count }: ListQuery): { from: number; size: number } => ({
  from: Math.max(0, startIndex - 1),
  size: Math.min(MOST_RESULTS, Math.max(0, count)),
});

export const listOf = (Resources: readonly object[], totalResults: number, from: number) => ({
  schemas: [listUrn],
  totalResults,
  startIndex: from + 1,
  itemsPerPage: Resources.length,
  Resources,
});

/** Always shown. */
const ALWAYS_SHOWN = ['schemas', 'id'];

/** A resource with only the attributes that the client asked for. */
export function shown(resource: object, { attributes, excludedAttributes }: ShownQuery): object {
  if (attributes) {
    const wanted = pathsIn(attributes);
    return parted(resource, '', (path) => ALWAYS_SHOWN.includes(path) || wanted.some((each) => within(path, each) || within(each, path)));
  }
  const unwanted = pathsIn(excludedAttributes ?? '').filter((each) => !ALWAYS_SHOWN.includes(each));
  return unwanted.length === 0 ? resource : parted(resource, '', (path) => !unwanted.includes(path));
}

/** Whether an attribute is shown. An attribute that is not shown need not be read. */
export const isShown = (name: string, query: ShownQuery): boolean => Object.hasOwn(shown({ [name]: '' }, query), name);

const pathsIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((path) =>
      path
        .trim()
        .replace(/^urn:.*:/i, '')
        .toLowerCase(),
    )
    .filter((path) => path !== '');

const within = (path: string, other: string): boolean => path === other || path.startsWith(`${other}.`);

function parted(value: unknown, path: string, keeps: (path: string) => boolean): object {
  const members = Object.entries(value as object).flatMap(([name, member]: [string, unknown]) => {
    const memberPath = `${path}${path && '.'}${name.toLowerCase()}`;
    if (!keeps(memberPath)) return [];
    if (Array.isArray(member)) return [[name, member.map((item: unknown) => (isObject(item) ? parted(item, memberPath, keeps) : item))]];
    return [[name, isObject(member) ? parted(member, memberPath, keeps) : member]];
  });
  return Object.fromEntries(members) as object;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
