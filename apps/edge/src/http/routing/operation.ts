import type { AuditedAction } from '@parlance/http';
import { LEAF, type Schema, type SchemaShapes, type Shape, someShape } from './schema-shapes.ts';

/** How the edge handles the requests and answers of one route. Created once from the route's description. */
export interface Operation {
  /** Shape of the body; null if no name in it has another case. */
  readonly body: Shape | null;
  readonly query: Shape;
  /** Shape of body and query together, for the paths in refusals. */
  readonly request: Shape;
  /** Shapes of JSON answers, by status. All refusals have the same shape. */
  readonly answers: ReadonlyMap<number, Shape>;
  /** The route may answer with server-sent events, whatever the request accepts. */
  readonly streams: boolean;
  /** The most bytes of a body. The service refuses a larger one. */
  readonly bodyLimit: number;
  /** The route accepts an `Idempotency-Key`: it is a POST that answers 201 or 202, or it is marked. */
  readonly creates: boolean;
  /** The route's service may be too busy for the work that it begins. */
  readonly startsWork: boolean;
  /** The route creates a user, with the ID that the edge provides. */
  readonly makesUser: boolean;
  /** The name of the action in the audit log; null if its refusals are not recorded. */
  readonly audited: AuditedAction | null;
}

export const DEFAULT_BODY_LIMIT = 1024 * 1024;

export function operationOf(method: string, description: Schema, shapes: SchemaShapes): Operation {
  const { requestBody, parameters = [], responses = {}, 'x-body-limit': limit, 'x-audited': audited = null } = description;
  const bodySchema = jsonSchemaIn(requestBody);
  const querySchema = { properties: Object.fromEntries((parameters as Parameter[]).filter(isInQuery).map(({ name }) => [name, {}])) };
  const body = shapes.of(bodySchema);
  return {
    body: someShape(body, ({ snake }) => snake.size > 0) ? body : null,
    query: shapes.of(querySchema),
    request: shapes.of(bodySchema, querySchema),
    answers: new Map(
      Object.entries(responses as object).flatMap(([status, answer]) => {
        const shape = status.startsWith('2') ? shapes.of(jsonSchemaIn(answer)) : LEAF;
        return shape === LEAF ? [] : [[Number(status), shape] as const];
      }),
    ),
    streams: Object.values(responses as object).some((answer) => Object.hasOwn(contentOf(answer), 'text/event-stream')),
    bodyLimit: typeof limit === 'number' ? limit : DEFAULT_BODY_LIMIT,
    creates: isCreating(method, description),
    startsWork: description['x-starts-work'] === true,
    makesUser: description['x-makes'] === 'user',
    audited: audited as AuditedAction | null,
  };
}

export function isCreating(method: string, { responses = {}, 'x-takes-idempotency-key': isMarked = false }: Schema): boolean {
  if (method.toUpperCase() !== 'POST') return false;
  return isMarked === true || ['201', '202'].some((status) => Object.hasOwn(responses as object, status));
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

const isInQuery = (parameter: Parameter): boolean => parameter.in === 'query';

/** `application/json` and other JSON types, such as `application/scim+json; charset=utf-8`. */
export const isJson = (mediaType: string | undefined): boolean => mediaType !== undefined && JSON_TYPE.test(mediaType);
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:$|[\s;])/i;

function jsonSchemaIn(described: unknown): unknown {
  return Object.entries(contentOf(described)).find(([mediaType]) => isJson(mediaType))?.[1].schema;
}

const contentOf = (described: unknown) => (described as { content?: Record<string, { schema?: unknown }> } | undefined)?.content ?? {};
