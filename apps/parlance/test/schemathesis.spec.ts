import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { missing, objectionsOfSchemathesis, oneProcess, type Product } from '@parlance/testing';
import { admin, environment } from './deployment.ts';

const lacking = missing('schemathesis');
const tell = lacking === null ? describe : describe.skip;

/** These end the session that the run goes by. */
const notAsked = ['auth_signOut', 'session_end', 'session_endAll', 'password_change'];

tell(`the OpenAPI document${lacking === null ? '' : ` (${lacking})`}`, () => {
  let product: Product;
  beforeAll(async () => {
    product = await oneProcess(environment);
  }, 60_000);
  afterAll(() => product?.stop());

  it('says what the product does: no answer is found that it does not foresee', async () => {
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
      '--request-timeout=10',
      '--suppress-health-check=all',
      '--warnings=off',
      '--no-color',
      '--continue-on-failure',
      ...notAsked.flatMap((id) => ['--exclude-operation-id', id]),
    ]);
    expect(objections).toBeNull();
  }, 900_000);
});
