import { afterAll, beforeAll, describe } from '@jest/globals';
import { oneProcess, type Product } from '@parlance/testing';
import { environment } from './deployment.ts';
import { subscriptionsStory } from './subscriptions-story.ts';

describe('in one process', () => {
  let product: Product;
  beforeAll(async () => {
    product = await oneProcess(environment);
  });
  afterAll(() => product?.stop());

  subscriptionsStory(
    () => product.url,
    () => product,
  );
});
