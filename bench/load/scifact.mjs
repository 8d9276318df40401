// Measures the quality of an adapter's lexical search without the product.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLanceIndexes } from '@parlance/retrieval/lance';
import { openSqliteIndexes } from '@parlance/retrieval/sqlite';
import { collectionIn, ndcgOf } from './collection.mjs';

export async function qualityOf(folder, adapter) {
  const { documents, queries } = await collectionIn(folder);
  const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  const indexes = adapter === 'sqlite' ? openSqliteIndexes({ directory }) : await openLanceIndexes({ uri: directory });
  const name = { botId: 'scifact', generation: 'g' };
  const builder = await indexes.build(name, { dimensions: null, embeddingModel: null });
  for (const { id, title, text } of documents) {
    const chunk = { id, sourceId: id, ordinal: 0, text, parent: null, page_number: null, heading: null };
    await builder.add({ id, kind: 'file', name: `${id}.txt`, title, etag: null, lastModified: null, hash: null }, [
      { chunk, vector: null },
    ]);
  }
  await builder.finish();
  let [ndcg, recall] = [0, 0];
  for (const { text, grades } of queries) {
    const { hits } = await indexes.search(name, { text, vector: null, type: 'lexical', limit: 10 });
    const found = hits.map(({ sourceId }) => sourceId);
    ndcg += ndcgOf(found, grades);
    recall += found.slice(0, 5).filter((id) => grades.has(id)).length / grades.size;
  }
  await indexes.close();
  await rm(directory, { recursive: true });
  return { ndcg: ndcg / queries.length, recall: recall / queries.length };
}
