import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { missing, objectionsOfSchemathesis, oneProcess, patience, type Product } from '@parlance/testing';
import { admin, environment, tokenOf } from './deployment.ts';

const lacking = missing('schemathesis');

/** Excluded operations: they end the session of the run, their answer never ends, or they make the product call invented addresses. */
const excluded = [
  'auth_signOut',
  'session_end',
  'session_endAll',
  'password_change',
  'events_follow',
  'notifications_follow',
  'adminWebhooks_create',
];

/** Sends requests that the OpenAPI document of the product allows, in these phases of schemathesis. */
export function getsNoUnforeseenAnswer(phases: string): void {
  (lacking === null ? describe : describe.skip)(`the product, asked for ${phases}${lacking === null ? '' : ` (${lacking})`}`, () => {
    // The product is not shared with other specs, because the requests set budgets, prices and retention rules for all users.
    let product: Product;
    beforeAll(async () => {
      product = await oneProcess(environment);
    });
    afterAll(() => product?.stop());

    it(
      'returns only answers that the document describes',
      async () => {
        const objections = await objectionsOfSchemathesis(fileURLToPath(new URL('./schemathesis.toml', import.meta.url)), [
          `${product.url}/openapi.json`,
          `--header=Authorization: Bearer ${await tokenOf(product.url, admin)}`,
          `--phases=${phases}`,
          '--max-examples=15',
          '--seed=1',
          // Threads would take turns in another order each time, and generate other requests.
          '--workers=1',
          `--request-timeout=${patience(60_000) / 1_000}`,
          '--suppress-health-check=all',
          '--warnings=off',
          '--no-color',
          '--continue-on-failure',
          ...excluded.flatMap((id) => ['--exclude-operation-id', id]),
        ]);
        expect(objections).toBeNull();
      },
      patience(1_200_000),
    );
  });
}
