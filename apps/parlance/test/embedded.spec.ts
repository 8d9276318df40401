import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { oneProcess } from '@parlance/testing';
import { admin, environment } from './deployment.ts';
import { describeStory } from './story.ts';

describeStory('as one process', async () => {
  const product = await oneProcess(environment);
  // Indexes are files too.
  const data = join(product.directory, 'data');
  const objectKeys = async () =>
    (await readdir(data, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(data.length));
  return { urls: [product.url], admin, keeps: product.directory, objectKeys, stop: () => product.stop() };
});
