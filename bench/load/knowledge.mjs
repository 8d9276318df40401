// A bot with files, through the product's API: uploads, the save, the run, and searches.
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '@parlance/event-store';
import { patience } from '@parlance/testing';
import { ask, put } from './product.mjs';

const AT_ONCE = 16;
const LOOK_EVERY_MS = 100;
const LONGEST_MS = 1_500_000;
/** A document may have several chunks. */
const CHUNKS_OF_SEARCH = 20;

const nameOf = ({ id }) => `${id}.md`;
const idOf = (name) => name.replace(/\.md$/, '');

/** Uploads each document as a file for a bot that is not saved yet. Returns the ID of the bot. */
export async function upload(url, headers, documents) {
  const botId = newId();
  let next = 0;
  const connection = async () => {
    while (next < documents.length) {
      const document = documents[next++];
      const query = new URLSearchParams({ filename: nameOf(document), content_type: 'text/markdown' });
      const granted = await ask('GET', `${url}/bot/${botId}/presigned-url?${query}`, headers);
      if (granted.status !== 200)
        throw new Error(`the request for an upload address was answered with ${granted.status} ${JSON.stringify(granted.body)}`);
      const stored = await put(granted.body.url, granted.body.headers, `# ${document.title}\n\n${document.text}\n`);
      if (stored !== 200) throw new Error(`an upload was answered with ${stored}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, connection));
  return botId;
}

/** Saves the bot with its files and waits until its run has ended. Returns the seconds and the last state of the run. */
export async function saveAndSync(url, headers, botId, documents) {
  const start = performance.now();
  const body = { id: botId, title: 'Abstracts', knowledge: { filenames: documents.map(nameOf) } };
  const saved = await ask('POST', `${url}/bot`, headers, body);
  if (saved.status !== 201) throw new Error(`saving the bot was answered with ${saved.status} ${JSON.stringify(saved.body)}`);
  for (const end = start + patience(LONGEST_MS); performance.now() < end; await pause(LOOK_EVERY_MS)) {
    const { body: state } = await ask('GET', `${url}/bot/${botId}/knowledge/sync`, headers);
    if (!['QUEUED', 'RUNNING'].includes(state.sync_status)) return { seconds: (performance.now() - start) / 1_000, state };
  }
  throw new Error('the run did not end in time');
}

/** The documents that a search finds, best first, and its time in milliseconds. */
export async function search(url, headers, botId, text, type) {
  const start = performance.now();
  const request = { query: text, max_results: CHUNKS_OF_SEARCH, search_type: type };
  const { status, body } = await ask('POST', `${url}/bot/${botId}/knowledge/search`, headers, request);
  const millis = performance.now() - start;
  if (status !== 200) throw new Error(`a search was answered with ${status} ${JSON.stringify(body)}`);
  return { found: [...new Set(body.results.map(({ source }) => idOf(source)))], type: body.search_type, millis };
}
