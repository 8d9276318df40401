import { oneProcess } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import { tellsTheStory } from './story.ts';

tellsTheStory('as one process', async () => {
  const product = await oneProcess(environment);
  return { urls: [product.url], admin, keeps: product.directory, stop: () => product.stop() };
});
