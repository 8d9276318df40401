import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { missing, objectionsOfSchemathesis, oneProcess, patience, type Product } from '@parlance/testing';
import { admin, environment } from './deployment.ts';

const lacking = missing('schemathesis');
const ask = lacking === null ? describe : describe.skip;

/** These end the session that the run goes by, do not end themselves, or send requests to addresses that the run invents. */
const notAsked = ['auth_signOut', 'session_end', 'session_endAll', 'password_change', 'events_follow', 'adminWebhooks_create'];

describe('the OpenAPI document', () => {
  let product: Product;
  beforeAll(async () => {
    product = await oneProcess(environment);
  });
  afterAll(() => product?.stop());

  it('has a sentence, a schema and an example for everything, and each example is one', async () => {
    const document = (await (await fetch(`${product.url}/openapi.json`)).json()) as OpenApi;
    const faults = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) =>
        faultsOf(operation, document.components).map((fault) => `${method.toUpperCase()} ${path}: ${fault}`),
      ),
    );
    expect(faults).toEqual([]);
  });

  it('has CSV for each list of administrators', async () => {
    const document = (await (await fetch(`${product.url}/openapi.json`)).json()) as OpenApi;
    const lists = Object.entries(document.paths).filter(
      ([path, { get }]) => path.startsWith('/admin/') && get?.parameters?.some(({ name }) => name === 'next_token'),
    );
    const without = lists.filter(([, { get }]) => get?.responses['200']?.content?.['text/csv'] === undefined);
    expect(without.map(([path]) => path)).toEqual([]);
    expect(lists.length).toBeGreaterThan(15);
  });

  ask(`asked for all that it allows${lacking === null ? '' : ` (${lacking})`}`, () => {
    it(
      'gets no answer that it does not foresee',
      async () => {
        const answer = await fetch(`${product.url}/auth/sign-in`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(admin),
        });
        const { access_token } = (await answer.json()) as { access_token: string };
        const objections = await objectionsOfSchemathesis(fileURLToPath(new URL('./schemathesis.toml', import.meta.url)), [
          `${product.url}/openapi.json`,
          `--header=Authorization: Bearer ${access_token}`,
          '--phases=examples,coverage,fuzzing',
          '--max-examples=15',
          '--seed=1',
          '--workers=1',
          `--request-timeout=${patience(60_000) / 1_000}`,
          '--suppress-health-check=all',
          '--warnings=off',
          '--no-color',
          '--continue-on-failure',
          ...notAsked.flatMap((id) => ['--exclude-operation-id', id]),
        ]);
        expect(objections).toBeNull();
      },
      patience(1_200_000),
    );
  });
});

type Content = Readonly<Record<string, { readonly schema?: object; readonly example?: unknown }>>;

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: object; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

/** Answers without a body: made, taken, gone, or somewhere else. */
const empty = new Set(['202', '204', '302']);

function faultsOf({ summary, parameters = [], requestBody, responses }: Operation, components: object): string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const objectionTo = (schema: object, example: unknown): string | null => {
    const validate = ajv.compile({ ...schema, components });
    return validate(example) ? null : ajv.errorsText(validate.errors);
  };
  const faults = summary === undefined ? ['it has no summary'] : [];
  for (const { name, schema, example } of parameters) {
    const objection = objectionTo(schema, example);
    if (objection !== null) faults.push(`the example of ${name}: ${objection}`);
  }
  const bodies: [string, Content][] = requestBody ? [['the body', requestBody.content]] : [];
  for (const [status, { content }] of Object.entries(responses)) {
    if (content) bodies.push([status, content]);
    else if (!empty.has(status)) faults.push(`${status} has no content`);
  }
  for (const [what, content] of bodies) {
    for (const [type, { schema, example }] of Object.entries(content)) {
      const objection = schema ? objectionTo(schema, example) : 'no schema';
      if (type.includes('json') && objection !== null) faults.push(`${what}: ${objection}`);
    }
  }
  return faults;
}
