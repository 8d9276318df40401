// Collections of documents with queries and relevance judgements, and a score for the order of results.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { textsOf } from './bots.mjs';

const RESULTS = 10;
/** This many texts of generated bots are about as long as an abstract. */
const TEXTS_OF_DOCUMENT = 4;

const lines = (bytes) => bytes.toString().trim().split('\n');
const json = (line) => JSON.parse(line);

/** Reads a collection in the layout of BEIR: corpus.jsonl.gz, queries.jsonl, qrels.tsv. Leaves out queries without a relevant document. */
export async function collectionIn(folder) {
  const documents = lines(gunzipSync(await readFile(join(folder, 'corpus.jsonl.gz')))).map(json);
  const relevant = relevantOf(lines(await readFile(join(folder, 'qrels.tsv'))));
  const queries = lines(await readFile(join(folder, 'queries.jsonl'))).map(json);
  return {
    documents: documents.map(({ _id: id, title, text }) => ({ id, title, text })),
    queries: queries.flatMap(({ _id: id, text }) => (relevant.has(id) ? [{ text, grades: relevant.get(id) }] : [])),
  };
}

/** Generated documents. Each query has a word that only one document has. */
export function syntheticCollection(count, queries) {
  const numbers = (length) => Array.from({ length }, (_, number) => number);
  const documents = numbers(count).map((index) => {
    const texts = numbers(TEXTS_OF_DOCUMENT).map((part) => textsOf(index * TEXTS_OF_DOCUMENT + part));
    const text = texts.map(({ description, instruction }) => `${description}. ${instruction}.`).join('\n\n');
    return { id: `d${index}`, title: texts[0].title, text: `${text} Number q${index}z.` };
  });
  const indexes = numbers(queries).map((index) => Math.floor((index * count) / queries));
  return {
    documents,
    queries: indexes.map((index) => ({ text: `${documents[index].title} q${index}z`, grades: new Map([[`d${index}`, 1]]) })),
  };
}

/** nDCG@10 of the documents that a search found, best first. */
export function ndcgOf(found, grades) {
  const gain = (list) => list.slice(0, RESULTS).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0);
  const best = [...grades.values()].sort((one, other) => other - one);
  return gain(found.map((id) => grades.get(id) ?? 0)) / gain(best);
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
