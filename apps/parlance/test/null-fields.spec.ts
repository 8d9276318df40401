import { describe, expect, it } from '@jest/globals';
import { sharedProduct } from '@parlance/testing';
import { admin, environment, tokenOf } from './deployment.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const { url } = await sharedProduct(environment);
const token = await tokenOf(url, admin);
const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
const ID = '01K0000000000000000000000N';

const resolved = (schema: Schema): Schema => (schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)!]! : schema);

function takesNull(schema: Schema): boolean {
  const { type, const: only, enum: values, anyOf, oneOf } = resolved(schema);
  const choices = anyOf ?? oneOf;
  if (choices) return choices.some(takesNull);
  if (values) return values.includes(null);
  if (type !== undefined) return [type].flat().includes('null');
  return only === undefined || only === null;
}

interface NullField {
  readonly path: string;
  readonly body: object;
}

/** Bodies in which one field is null although the document does not allow null. */
function nullFieldsOf(schema: Schema, within: readonly string[] = []): readonly NullField[] {
  return Object.entries(resolved(schema).properties ?? {}).flatMap(([name, fieldSchema]) => {
    const path = [...within, name];
    const body = path.reduceRight<unknown>((inner, each) => ({ [each]: inner }), null) as object;
    const nested = (fieldSchema.anyOf ?? [fieldSchema]).flatMap((each) => nullFieldsOf(each, path));
    return takesNull(fieldSchema) ? nested : [{ path: path.join('.'), body }, ...nested];
  });
}

/** Without SCIM and the published APIs, which have their own credentials, and bodies of other standards. */
const operations = Object.entries(document.paths)
  .filter(([path]) => !/^\/(?:scim|published|v1)\//.test(path))
  .flatMap(([path, methods]) =>
    (['patch', 'put', 'post'] as const).flatMap((method) => {
      const schema = methods[method]?.requestBody?.content['application/json']?.schema;
      return schema ? [{ name: `${method.toUpperCase()} ${path}`, method, schema, fields: nullFieldsOf(schema) }] : [];
    }),
  );

describe('null in a field that the document does not allow to be null', () => {
  it('is each field of a change, except fields that null clears', () => {
    const nullable = operations
      .filter(({ method }) => method === 'patch')
      .flatMap(({ name, schema }) =>
        Object.entries(resolved(schema).properties ?? {}).flatMap(([field, fieldSchema]) =>
          takesNull(fieldSchema) ? [`${name} ${field}`] : [],
        ),
      );
    expect(nullable.sort()).toEqual([
      'PATCH /admin/models/{modelId} max_output_tokens',
      'PATCH /admin/models/{modelId} name',
      'PATCH /admin/providers/{providerId} base_url',
      'PATCH /admin/providers/{providerId} region',
      'PATCH /admin/retention/{ruleId} bot_id',
      'PATCH /admin/retention/{ruleId} group',
      'PATCH /admin/routes/{routeId} timeout_seconds',
      'PATCH /admin/service-accounts/{id}/tokens/{tokenId} cost_centre',
      'PATCH /admin/service-accounts/{id}/tokens/{tokenId} max_parallel_requests',
      'PATCH /admin/service-accounts/{id}/tokens/{tokenId} requests_per_minute',
      'PATCH /admin/service-accounts/{id}/tokens/{tokenId} tokens_per_minute',
      'PATCH /bot/{botId} colour',
      'PATCH /bot/{botId} default_model',
      'PATCH /bot/{botId} icon',
      'PATCH /bot/{botId} memory',
      'PATCH /bot/{botId} sync_schedule',
      'PATCH /bot/{botId}/publication quota',
      'PATCH /bot/{botId}/publication/api-key/{keyId} expires_at',
      'PATCH /projects/{projectId} bot_id',
      'PATCH /projects/{projectId} model',
      'PATCH /user/me language',
      'PATCH /user/me/tokens/{tokenId} cost_centre',
      'PATCH /user/me/tokens/{tokenId} max_parallel_requests',
      'PATCH /user/me/tokens/{tokenId} requests_per_minute',
      'PATCH /user/me/tokens/{tokenId} tokens_per_minute',
    ]);
  });

  it.each(operations.filter(({ fields }) => fields.length > 0))('is refused by $name, which names the field', async ({ name, fields }) => {
    const [method, path] = name.split(' ') as [string, string];
    for (const { path: field, body } of fields) {
      const answer = await fetch(url + path.replaceAll(/\{\w+\}/g, ID), {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { errors = [] } = (await answer.json()) as { errors?: readonly { path: string }[] };
      // A passkey is checked as a whole.
      const isNamed = errors.some((error) => `${field}.`.startsWith(`${error.path}.`));
      expect({ field, status: answer.status, errors, isNamed }).toMatchObject({ status: 400, isNamed: true });
    }
  });
});
