import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inPython, missing } from '@parlance/testing';
import { SqlEngine } from '../src/adapters/exports/engine.ts';

const lacking = missing('parquet');
const suite = lacking ? describe.skip : describe;

const PYARROW = `
import json, sys
import pyarrow.parquet as pq
table = pq.read_table(sys.argv[1])
rows = table.sort_by('SK').to_pylist()
print(json.dumps({'schema': {f.name: str(f.type) for f in table.schema}, 'rows': rows}))
`;

/** The files of all hours, as the how-to shows. */
const PANDAS = `
import glob, json, sys
import pandas as pd
files = sorted(glob.glob(sys.argv[1] + '/conversations/*/*/*/*/*.parquet'))
frame = pd.concat([pd.read_parquet(file) for file in files])
frame['text'] = frame['MessageMap'].map(lambda text: [m['content'][0]['body'] for m in json.loads(text).values()])
frame['created'] = pd.to_datetime(frame['CreateTime'], unit='s', utc=True)
spent = frame.groupby('PK')['TotalPrice'].sum().round(6)
print(json.dumps({'spent': spent.to_dict(), 'texts': sorted(sum(frame['text'], [])), 'first': frame['created'].min().isoformat(),
  'without_bot': int(frame['BotId'].isna().sum()), 'hours': sorted(frame['datehour'].unique())}))
`;

suite(`a written export${lacking ? ` (skipped: ${lacking})` : ''}`, () => {
  let directory: string;
  const row = (n: number, hour: string) => ({
    PK: `user-${n % 2}`,
    SK: `user-${n % 2}#CONV#${n}`,
    MessageMap: JSON.stringify({ [`m${n}`]: { role: 'user', content: [{ content_type: 'text', body: `Größe ${n} 日本 "x"\n` }] } }),
    TotalPrice: n / 1_000,
    CreateTime: 1_700_000_000.25 + n,
    LastMessageId: `m${n}`,
    BotId: n === 0 ? null : 'bot',
    datehour: `2026/11/22/${hour}`,
  });
  const file = (hour: string) => join(directory, `conversations/2026/11/22/${hour}/conversations.parquet`);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parlance-readers-'));
    const engine = new SqlEngine({ directory, queries: { timeoutMillis: 60_000, memoryMebibytes: 256 } });
    for (const [hour, rows] of [
      ['10', [0, 1]],
      ['11', [2]],
    ] as const) {
      await writeFile(join(directory, 'rows.json'), rows.map((n) => `${JSON.stringify(row(n, hour))}\n`).join(''));
      await engine.write({ type: 'write', source: 'rows.json', target: 'rows.parquet' });
      await mkdir(join(file(hour), '..'), { recursive: true });
      await rename(join(directory, 'rows.parquet'), file(hour));
    }
    await engine.close();
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('has its schema and rows for pyarrow', async () => {
    const read = await inPython<{ schema: object; rows: object[] }>(PYARROW, [file('10')]);
    expect(read.schema).toEqual({
      PK: 'string',
      SK: 'string',
      MessageMap: 'string',
      TotalPrice: 'double',
      CreateTime: 'double',
      LastMessageId: 'string',
      BotId: 'string',
      datehour: 'string',
    });
    expect(read.rows).toEqual([row(0, '10'), row(1, '10')]);
  });
  it('is joined and counted by pandas', async () => {
    expect(await inPython(PANDAS, [directory])).toEqual({
      spent: { 'user-0': 0.002, 'user-1': 0.001 },
      texts: [0, 1, 2].map((n) => `Größe ${n} 日本 "x"\n`),
      first: '2023-11-14T22:13:20.250000+00:00',
      without_bot: 1,
      hours: ['2026/11/22/10', '2026/11/22/11'],
    });
  });
});
