import { STATUS_CODES } from 'node:http';
import { RouteParamtypes } from '@nestjs/common/internal';
import { ModulesContainer } from '@nestjs/core';
import {
  type Access,
  type BodyClass,
  MAKES_USER,
  TAKES_IDEMPOTENCY_KEY,
  tokenScopeOf,
  mayBeLeftOut,
  type Route,
  type RouteArgument,
  routesOf,
  shapeOf,
  ULID_PATTERN,
  UlidPipe,
  remediesSchema,
} from '@parlance/http';
import { ANSWERS, declared, type DeclaredAnswer, type DeclaredBody, type DeclaredRefusal, REFUSALS, SUMMARY, TAKES } from './answers.ts';
import { classSchema, isRequired, propertySchema } from './class-schema.ts';
import { Components, type JsonSchema, refTo } from './json-schema.ts';
import { REFUSALS_OF_HEADERS, REQUEST_HEADERS } from './request-headers.ts';

export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

export type Operation = JsonSchema & { readonly operationId: string };

/** The parts of OpenAPI 3.1 that the documents use. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: DocumentInfo;
  /** The base URLs of the API. */
  readonly servers?: readonly { readonly url: string }[];
  /** The groups of operations. */
  readonly tags?: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>>; readonly securitySchemes: JsonSchema };
}

const PROBLEM: JsonSchema = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', description: 'Stable error code.' },
    message: { type: 'string', description: 'Same text as detail.' },
    request_id: { type: 'string' },
    ...remediesSchema,
    resets_at: { type: 'integer', description: 'For a limit per period: when the next period starts, in epoch seconds.' },
    budget: {
      type: 'object',
      description: 'For `budget_exceeded`: the budget that is used up.',
      properties: {
        scope: { type: 'string', enum: ['all', 'user', 'group', 'bot', 'key'], description: 'What the budget limits.' },
        group: { type: ['string', 'null'], description: 'Name of the group, for the scope `group`.' },
        period: { type: 'string', enum: ['DAY', 'WEEK', 'MONTH'] },
      },
      required: ['scope', 'group', 'period'],
    },
    errors: {
      type: 'array',
      description: 'Errors by field. Always present with status 400.',
      items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } }, required: ['path', 'message'] },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'message'],
};

/** The security scheme of the routes of published bots. */
export const API_KEY = 'apiKey';

/** Used instead of a scope if the operation does not accept personal access tokens. */
export const NO_TOKENS = 'none';

const isForUsers = (access: Access): boolean =>
  access.to === 'users' || access.to === 'group' || (access.to === 'anyone' && access.isIdentified === true);

const NOT_FOR_CLIENTS = ['/internal/', '/health/'];

/**
 * The document of a service's routes for clients, made only from the decorators of its routes and bodies. Internal routes and probes are left
 * out. Throws Error if two schemas have the same name, or a rule has no JSON Schema.
 */
export function serviceDocument(app: { get(token: typeof ModulesContainer): ModulesContainer }, info: DocumentInfo): OpenApiDocument {
  const components = new Components();
  const paths: Record<string, Record<string, Operation>> = {};
  const others: Record<string, JsonSchema> = {};
  for (const route of routesOf(app.get(ModulesContainer))) {
    if (route.policy.access.to === 'services' || NOT_FOR_CLIENTS.some((prefix) => route.path.startsWith(prefix))) continue;
    const { access } = route.policy;
    if (access.to === 'anyone' && access.scheme !== undefined) others[access.scheme] = { type: 'http', scheme: 'bearer' };
    if (access.to === 'apis') others[API_KEY] = { type: 'apiKey', in: 'header', name: 'x-api-key' };
    const path = route.path.replaceAll(/[:*](\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method] = operationOf(route, path, components);
  }
  components.add('Problem', PROBLEM);
  return {
    openapi: '3.1.0',
    info,
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, ...others },
    },
  };
}

function operationOf(route: Route, path: string, components: Components): Operation {
  const tag = route.controller.name.replace(/Controller$/, '');
  const body = bodyOf(route, components);
  const summary = Reflect.getMetadata(SUMMARY, route.handler) as string | undefined;
  const parameters = parametersOf(route, components);
  return {
    operationId: `${tag[0]?.toLowerCase()}${tag.slice(1)}_${route.name}`,
    tags: [tag],
    ...(summary === undefined ? {} : { summary }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body && {
      requestBody: { required: !body.optional, content: { [body.mediaType]: { schema: body.schema }, ...otherTypesOf(route) } },
    }),
    responses: { ...answersOf(route, components), ...refusalsOf(route, components, parameters.length > 0, body !== undefined) },
    security: securityOf(route.policy.access),
    ...(route.policy.access.to === 'group' && { 'x-needs-group': route.policy.access.group }),
    // For the edge, which checks the scopes of personal access tokens.
    ...(isForUsers(route.policy.access) && { 'x-token-scope': tokenScopeOf(route.method, path) ?? NO_TOKENS }),
    ...(Reflect.hasMetadata(MAKES_USER, route.handler) && { 'x-makes': 'user' }),
    ...(Reflect.hasMetadata(TAKES_IDEMPOTENCY_KEY, route.handler) && { 'x-takes-idempotency-key': true }),
    ...(route.policy.startsWork && { 'x-starts-work': true }),
    // For the edge, which may refuse before the service can.
    ...(route.policy.audited !== undefined && { 'x-audited': route.policy.audited }),
    // For the edge, which reads at most this much of a body.
    ...(route.policy.bodyLimit !== undefined && { 'x-body-limit': route.policy.bodyLimit }),
  };
}

function bodyOf(route: Route, components: Components): (DeclaredBody & { readonly optional: boolean }) | undefined {
  const declaredBody = Reflect.getMetadata(TAKES, route.handler) as DeclaredBody | undefined;
  if (declaredBody) return { ...declaredBody, schema: components.hoist(declaredBody.schema), optional: false };
  const body = route.arguments.find(({ kind }) => kind === RouteParamtypes.BODY);
  if (!body) return undefined;
  const type = body.type as BodyClass;
  return { schema: classSchema(type, components), mediaType: 'application/json', optional: mayBeLeftOut(type) };
}

/** The text that a route accepts instead of a JSON object, or the further types of its bytes. */
const otherTypesOf = ({ policy: { textBody, byteTypes = [] } }: Route): Readonly<Record<string, JsonSchema>> => ({
  ...(textBody && { [textBody.mediaType]: { schema: { type: 'string' } } }),
  ...Object.fromEntries(byteTypes.filter((its) => its !== 'application/json').map((its) => [its, BYTES])),
});

/** Empty, because neither a schema nor an example can describe the bytes. */
const BYTES: JsonSchema = {};

function securityOf(access: Access): JsonSchema[] {
  if (access.to === 'apis') return [{ [API_KEY]: [] }];
  if (access.to !== 'anyone') return [{ bearer: [] }];
  if (access.isIdentified) return [{}, { bearer: [] }];
  return access.scheme === undefined ? [] : [{ [access.scheme]: [] }];
}

function parametersOf(route: Route, components: Components): JsonSchema[] {
  const named = (kind: RouteParamtypes, name: string) => route.arguments.find((its) => its.kind === kind && its.name === name);
  const inPath = [...route.path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: paramSchema(named(RouteParamtypes.PARAM, name)),
  }));
  const headers = route.arguments.flatMap(({ kind, name }) =>
    kind === RouteParamtypes.HEADERS && name !== undefined
      ? [{ name, in: 'header', ...(REQUEST_HEADERS[name] ?? { schema: { type: 'string' } }) }]
      : [],
  );
  const query = route.arguments.flatMap(({ kind, type }) =>
    kind === RouteParamtypes.QUERY ? queryParameters(type as BodyClass, components) : [],
  );
  return [...inPath, ...query, ...headers];
}

const paramSchema = (argument: RouteArgument | undefined): JsonSchema =>
  argument?.pipes.some((pipe) => pipe instanceof UlidPipe) ? { type: 'string', pattern: ULID_PATTERN } : { type: 'string' };

function queryParameters(type: BodyClass, components: Components): JsonSchema[] {
  const initial = new type() as Record<string, unknown>;
  return [...shapeOf(type).values()].map((property) => {
    const schema = propertySchema(type.name, property, components);
    return {
      name: property.name,
      in: 'query',
      required: isRequired(property, initial),
      // A number in a query is always an integer.
      schema: { ...schema, ...(schema['type'] === 'number' ? { type: 'integer' } : {}), ...withDefault(initial[property.name]) },
    };
  });
}

const withDefault = (value: unknown): JsonSchema => (value === undefined ? {} : { default: value });

function answersOf(route: Route, components: Components): Record<string, JsonSchema> {
  const answers: Record<string, { description: string; content?: Record<string, JsonSchema> }> = {};
  const all = declared<DeclaredAnswer>(ANSWERS, route.handler);
  for (const { status, schema, mediaType, description } of all.length > 0
    ? all
    : [{ status: route.status, mediaType: '' } as DeclaredAnswer]) {
    const answer = (answers[status] ??= { description: description ?? STATUS_CODES[status] ?? 'Answer' });
    if (schema === undefined) continue;
    const its = components.hoist(schema);
    (answer.content ??= {})[mediaType] = {
      schema: isUnnamedObject(its, mediaType) ? components.named(`${nameOf(route)}Answer`, its) : its,
    };
  }
  return answers as unknown as Record<string, JsonSchema>;
}

/** Clients get a type for each named schema. An answer without a name is named after its operation. */
const isUnnamedObject = (schema: JsonSchema, mediaType: string) => mediaType === 'application/json' && schema['type'] === 'object';

/** A name such as `AdminUsersFind`. */
const nameOf = ({ controller, name }: Route): string =>
  `${controller.name.replace(/Controller$/, '')}${name[0]?.toUpperCase()}${name.slice(1)}`;

/** The refusals that a route declares, and those that follow from its body, its query and its access. */
function refusalsOf(route: Route, components: Components, takesParameters: boolean, takesBody: boolean): Record<string, JsonSchema> {
  const { access, refusalForm } = route.policy;
  const all: DeclaredRefusal[] = [...declared<DeclaredRefusal>(REFUSALS, route.handler)];
  if (takesBody) {
    for (const code of ['malformed_body', 'invalid_body']) all.push({ code, status: 400 });
    all.push({ code: 'body_too_large', status: 413 }, { code: 'unsupported_media_type', status: 415 });
  }
  const ulids = route.arguments.some(({ pipes }) => pipes.some((pipe) => pipe instanceof UlidPipe));
  for (const { kind, name } of route.arguments)
    if (kind === RouteParamtypes.HEADERS && name !== undefined) all.push(...(REFUSALS_OF_HEADERS[name] ?? []));
  if (ulids) all.push({ code: 'invalid_id', status: 400 });
  if (takesParameters || takesBody) all.push({ code: 'malformed_request', status: 400 });
  all.push({ code: 'invalid_query', status: 400 });
  if (access.to === 'apis') all.push({ code: 'invalid_api_key', status: 403 });
  else if (access.to !== 'anyone') all.push({ code: 'sign_in_required', status: 401 });
  if (access.to === 'group') all.push({ code: 'group_required', status: 403 });
  // A change may have been recorded although its answer could not be completed.
  if (route.method !== 'get') all.push({ code: 'recorded_not_visible', status: 503 });
  const codes = Map.groupBy(all, ({ status }) => status);
  const refusals: Record<string, JsonSchema> = {};
  const content = refusalForm
    ? { [refusalForm.mediaType]: { schema: components.hoist(refusalForm.schema) } }
    : { 'application/problem+json': { schema: refTo('Problem') } };
  for (const [status, its] of [...codes].sort(([a], [b]) => a - b)) {
    const schema = { allOf: [refTo('Problem'), { properties: { code: { enum: [...new Set(its.map(({ code }) => code))].sort() } } }] };
    const own = refusalForm ? content : { 'application/problem+json': { schema } };
    refusals[status] = { description: STATUS_CODES[status] ?? 'Refusal', content: own };
  }
  return { ...refusals, default: { description: 'Any other error.', content } };
}
