import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { sharedProduct } from '@parlance/testing';
import { environment } from './deployment.ts';
import { getsNoUnforeseenAnswer } from './schemathesis.ts';

getsNoUnforeseenAnswer('examples,coverage');

const { url } = await sharedProduct(environment);
const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;

describe('the OpenAPI document', () => {
  it('has a description, a schema and an example for everything, and each example matches its schema', async () => {
    const faults = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) =>
        faultsOf(operation, path, method).map((fault) => `${method.toUpperCase()} ${path}: ${fault}`),
      ),
    );
    expect(faults).toEqual([]);
  });

  it('offers each list under /admin as CSV', async () => {
    const lists = Object.entries(document.paths).filter(
      ([path, { get }]) => path.startsWith('/admin/') && get?.parameters?.some(({ name }) => name === 'next_token'),
    );
    const withoutCsv = lists.filter(([, { get }]) => get?.responses['200']?.content?.['text/csv'] === undefined);
    expect(withoutCsv.map(([path]) => path)).toEqual([]);
    expect(lists.length).toBeGreaterThan(15);
  });
});

type Content = Readonly<Record<string, { readonly example?: unknown }>>;

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly { readonly name: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Statuses of responses without a body. */
const withoutBody = new Set(['202', '204', '302']);
const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false }).addSchema(document, 'document');

/** Why an example does not match its schema in the document, or null. */
function schemaMismatch(example: unknown, ...path: string[]): string | null {
  const pointer = path.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const validate = ajv.getSchema(`document#/paths/${pointer}/schema`);
  if (validate === undefined) return 'no schema';
  return validate(example) ? null : ajv.errorsText(validate.errors);
}

function faultsOf({ summary, parameters = [], requestBody, responses }: Operation, ...path: string[]): string[] {
  const faults = summary === undefined ? ['it has no summary'] : [];
  for (const [index, { name, example }] of parameters.entries()) {
    const reason = schemaMismatch(example, ...path, 'parameters', String(index));
    if (reason !== null) faults.push(`the example of ${name}: ${reason}`);
  }
  const bodies: [string[], Content][] = requestBody ? [[['requestBody'], requestBody.content]] : [];
  for (const [status, { content }] of Object.entries(responses)) {
    if (content) bodies.push([['responses', status], content]);
    else if (!withoutBody.has(status)) faults.push(`${status} has no content`);
  }
  for (const [location, content] of bodies) {
    for (const [type, { example }] of Object.entries(content)) {
      const reason = type.includes('json') ? schemaMismatch(example, ...path, ...location, 'content', type) : null;
      if (reason !== null) faults.push(`${location.join(' ')}: ${reason}`);
    }
  }
  return faults;
}
