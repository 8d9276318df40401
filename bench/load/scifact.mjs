// The quality of lexical search on a collection laid out as BEIR does: corpus.jsonl.gz, queries.jsonl, qrels.tsv.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { openLanceIndexes } from '@parlance/retrieval/lance';
import { openSqliteIndexes } from '@parlance/retrieval/sqlite';

const lines = (bytes) => bytes.toString().trim().split('\n');
const json = (line) => JSON.parse(line);

export async function qualityOf(folder, adapter) {
  const documents = lines(gunzipSync(await readFile(join(folder, 'corpus.jsonl.gz')))).map(json);
  const queries = lines(await readFile(join(folder, 'queries.jsonl'))).map(json);
  const relevant = relevantOf(lines(await readFile(join(folder, 'qrels.tsv'))));
  const directory = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
  const indexes = adapter === 'sqlite' ? openSqliteIndexes({ directory }) : await openLanceIndexes({ uri: directory });
  const name = { botId: 'scifact', generation: 'g' };
  const builder = await indexes.build(name, { dimensions: null, embeddingModel: null });
  for (const { _id: id, title, text } of documents) {
    const chunk = { id, sourceId: id, ordinal: 0, text, parent: null, page_number: null, heading: null };
    await builder.add({ id, kind: 'file', name: `${id}.txt`, title, etag: null, lastModified: null, hash: null }, [
      { chunk, vector: null },
    ]);
  }
  await builder.finish();
  let [ndcg, recall, count] = [0, 0, 0];
  for (const { _id: id, text } of queries) {
    const grades = relevant.get(id);
    if (!grades) continue;
    const { hits } = await indexes.search(name, { text, vector: null, type: 'lexical', limit: 10 });
    const gain = (found) => found.reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0);
    const best = [...grades.values()].sort((one, other) => other - one).slice(0, 10);
    ndcg += gain(hits.map(({ sourceId }) => grades.get(sourceId) ?? 0)) / gain(best);
    recall += hits.slice(0, 5).filter(({ sourceId }) => grades.has(sourceId)).length / grades.size;
    count++;
  }
  await indexes.close();
  await rm(directory, { recursive: true });
  return { ndcg: ndcg / count, recall: recall / count };
}

function relevantOf([, ...judgements]) {
  const relevant = new Map();
  for (const judgement of judgements) {
    const [query, document, grade] = judgement.split('\t');
    if (Number(grade) <= 0) continue;
    if (!relevant.has(query)) relevant.set(query, new Map());
    relevant.get(query).set(document, Number(grade));
  }
  return relevant;
}
