import { STATUS_CODES } from 'node:http';
import type { JsonSchema } from './json-schema.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Realistic example values by field name, because people read the examples. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  email: 'ann@example.org',
  userName: 'ann@example.org',
  password: 'correct horse battery',
  current_password: 'correct horse battery',
  new_password: 'staple correct horse',
  first_name: 'Ann',
  last_name: 'Archer',
  givenName: 'Ann',
  familyName: 'Archer',
  title: 'Guide',
  name: 'Research',
  group: 'Research',
  description: 'For the research team',
  modelId: 'local-extractive',
  enabled: true,
  disabled_because: null,
  instruction: 'Be brief.',
  body: 'What can you do?',
  model: 'local-extractive',
  month: '2026-11',
  period: '2026-11',
  start_period: '2026-10',
  end_period: '2026-11',
  start_date: '2026-11-01',
  end_date: '2026-11-30',
  start: '2026110100',
  end: '2026113023',
  currency: 'USD',
  code: 'invalid_body',
  ip_address: '203.0.113.9',
  user_agent: 'curl/8.9.1',
  via: 'password',
  prefix: 'an',
  service: 'inference',
  server: 'docs',
  return_to: '/app/tool-connections',
  authorize_url: 'https://login.example.org/authorize?response_type=code&client_id=parlance',
  time: '2026-11-21T12:00:00.000Z',
  prefer: 'wait=10',
  source_url: 'https://www.example.org/rules',
  sitemap_url: 'https://www.example.org/sitemap.xml',
  s3_url: 's3://handbooks/2026/',
  filename: 'handbook.pdf',
  file_name: 'handbook.pdf',
  file_id: '01K0000000000000000000000A.0',
  fileId: '01K0000000000000000000000A.0',
  media_type: 'application/pdf',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  content_type: 'application/pdf',
  sync_schedule: '0 3 * * 1',
  endpoint: 'https://chat.example.org/published/01k0000000000000000000000a/api',
  domain_endpoint: 'https://01k0000000000000000000000a.bots.example.org/api',
  stage: 'api',
  apiId: '01k0000000000000000000000a',
  from: '2026-11-01T00:00:00Z',
  hour: '2026112210',
  datehour: '2026/11/22/10',
  database: 'parlance_usage_analysis',
  table: 'parlance_conversations',
  sql: 'SELECT PK, sum(TotalPrice) AS cost FROM parlance_conversations GROUP BY PK ORDER BY cost DESC LIMIT 10',
  url: 'https://hooks.example.org/parlance',
  base_url: 'https://models.example.org/v1',
  region: 'us-east-1',
  types: 'parlance.bots.bot-created.v1',
  event_type: 'parlance.bots.bot-created.v1',
  subject: 'bot-01K0000000000000000000000A',
};

const EPOCH_SECONDS = 1_795_262_400;

/** Example numbers by field name. A text field may have the same name. */
const NUMBER_BY_NAME: Readonly<Record<string, number>> = {
  from: EPOCH_SECONDS,
  start_time: EPOCH_SECONDS - 86_400,
  end_time: EPOCH_SECONDS,
  expires_at: EPOCH_SECONDS,
  days: 31,
  limit: 100,
  last_status: 503,
  last_milliseconds: 120,
  bytes: 48_213,
};

const ULID = '01K0000000000000000000000A';
const DEEPEST = 20;

/** A value that matches the schema. Without an example for the field's name, the value is made from the schema's rules. */
export function exampleOf(schema: JsonSchema, schemas: Schemas, name = '', depth = 0): unknown {
  const {
    $ref,
    const: only,
    enum: values,
    default: usual,
    example,
    allOf,
    anyOf,
    oneOf,
  } = schema as Record<string, never> & {
    $ref?: string;
    enum?: unknown[];
    allOf?: JsonSchema[];
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
  };
  if (depth > DEEPEST) return null;
  if ($ref !== undefined) return exampleOf(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, schemas, name, depth + 1);
  if (example !== undefined) return example;
  if (only !== undefined) return only;
  if (BY_NAME[name] === null && (oneOf ?? anyOf)?.some((one) => one['type'] === 'null')) return null;
  if (values !== undefined) return values[0];
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((part) => exampleOf(part, schemas, name, depth + 1)));
  const choice = (oneOf ?? anyOf)?.find((one) => one['type'] !== 'null');
  if (choice !== undefined) return exampleOf(choice, schemas, name, depth + 1);
  const type = typeOf(schema);
  if (usual !== undefined && usual !== null && type !== 'object') return usual;
  switch (type) {
    case 'object':
      return objectOf(schema, schemas, depth);
    case 'array':
      return Array.from({ length: Math.max(1, Number(schema['minItems'] ?? 1)) }, () =>
        exampleOf((schema['items'] ?? {}) as JsonSchema, schemas, singular(name), depth + 1),
      );
    case 'string':
      return textOf(schema, name);
    case 'integer':
    case 'number':
      return numberOf(schema, name);
    case 'boolean':
      return BY_NAME[name] === true;
    case 'null':
      return null;
    default:
      return BY_NAME[name] ?? {};
  }
}

function typeOf(schema: JsonSchema): string | undefined {
  const type = schema['type'] as string | readonly string[] | undefined;
  if (Array.isArray(type)) return type.find((one) => one !== 'null');
  return (type as string | undefined) ?? (schema['properties'] !== undefined ? 'object' : undefined);
}

function objectOf(schema: JsonSchema, schemas: Schemas, depth: number): Record<string, unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  // Tools would interpret a member `$ref` of an example, as in SCIM, as a reference to another document.
  const shown = properties.filter(([name]) => name !== '$ref');
  const rest = schema['additionalProperties'];
  const free = typeof rest === 'object' && rest !== null ? { example: exampleOf(rest as JsonSchema, schemas, '', depth + 1) } : {};
  return {
    ...Object.fromEntries(shown.map(([name, its]) => [name, exampleOf(its, schemas, name, depth + 1)])),
    ...(properties.length === 0 && free),
  };
}

function numberOf(schema: JsonSchema, name: string): number {
  if (String(schema['description']).toLowerCase().includes('epoch seconds')) return EPOCH_SECONDS;
  const lowest = Number(schema['minimum'] ?? 1);
  const byName = NUMBER_BY_NAME[name];
  const isSound = byName !== undefined && byName >= lowest && byName <= Number(schema['maximum'] ?? Number.POSITIVE_INFINITY);
  return isSound ? byName : Math.max(1, lowest);
}

/** A code of an authenticator app. */
const SIX_DIGITS = '123456';

function textOf(schema: JsonSchema, name: string): string {
  const {
    pattern,
    format,
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY,
  } = schema as Record<string, never> & {
    pattern?: string;
    format?: string;
  };
  const candidates = [BY_NAME[name], 'text', 'a text of some length', ULID, SIX_DIGITS].filter(
    (one): one is string => typeof one === 'string',
  );
  if (format === 'email') candidates.unshift('ann@example.org');
  if (format === 'uri') candidates.unshift('https://example.org/');
  if (format === 'date-time') candidates.unshift('2026-11-21T12:00:00Z');
  if (format === 'date') candidates.unshift('2026-11-21');
  if (/(?:_|^)id$|Id$/.test(name) && BY_NAME[name] === undefined) candidates.unshift(ULID);
  const sound = (text: string) =>
    text.length >= minLength && text.length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(text));
  return candidates.find(sound) ?? 'text';
}

const singular = (name: string): string => name.replace(/s$/, '');

/** The document with an example next to each schema of a body, answer or parameter. */
export function withExamples<Document extends { readonly paths: object; readonly components: { readonly schemas: Schemas } }>(
  document: Document,
): Document {
  const { schemas } = document.components;
  const media = (content: Record<string, JsonSchema> | undefined, status?: string) =>
    content &&
    Object.fromEntries(
      Object.entries(content).map(([type, its]) => [
        type,
        'schema' in its ? { ...its, example: inStatus(exampleOf(its['schema'] as JsonSchema, schemas), status) } : its,
      ]),
    );
  const operation = (its: JsonSchema): JsonSchema => {
    const { requestBody, responses, parameters } = its as {
      requestBody?: { content: Record<string, JsonSchema> };
      responses: Record<string, { content?: Record<string, JsonSchema> }>;
      parameters?: (JsonSchema & { name: string; schema: JsonSchema })[];
    };
    return {
      ...its,
      ...(parameters && { parameters: parameters.map((one) => ({ ...one, example: exampleOf(one.schema, schemas, one.name) })) }),
      ...(requestBody && { requestBody: { ...requestBody, content: media(requestBody.content) } }),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, answer]) => [
          status,
          { ...answer, ...(answer.content && { content: media(answer.content, status) }) },
        ]),
      ),
    };
  };
  const paths = Object.fromEntries(
    Object.entries(document.paths as Record<string, Record<string, JsonSchema>>).map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([method, its]) => [method, operation(its)])),
    ]),
  );
  return { ...document, paths };
}

/** Sets the status of a problem's example to the status of its response. */
function inStatus(example: unknown, status: string | undefined): unknown {
  const problem = example as { type?: unknown; status?: unknown; code?: unknown } | null;
  if (typeof problem !== 'object' || problem === null || !('code' in problem) || !('type' in problem)) return example;
  const code = String(problem.code);
  const detail = code.replaceAll('_', ' ');
  const { errors: _, ...rest } = problem as Record<string, unknown>;
  return {
    ...rest,
    type: `urn:parlance:problem:${code}`,
    title: status === undefined || status === 'default' ? 'Error' : (STATUS_CODES[status] ?? 'Error'),
    status: Number(status) || 500,
    detail,
    message: detail,
    ...(status === '400' && { errors: [{ path: 'title', message: 'must be a text of 1 to 100 characters' }] }),
  };
}
