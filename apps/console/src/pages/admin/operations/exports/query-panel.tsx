import { ParlanceError } from '@parlance/client';
import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { refusedFields } from '../../../../api/form-errors.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { NumberField } from '../../../../ui/fields/index.ts';
import { Menu } from '../../../../ui/menu.tsx';
import { Section } from '../../../../ui/page.tsx';
import { ErrorNote, Loading } from '../../../../ui/states.tsx';
import { type ExampleName, exampleQueries } from './example-queries.ts';
import { QueryResult } from './query-result.tsx';
import { TableColumns } from './table-columns.tsx';
import { lazyPart } from '../../../../ui/lazy-part.tsx';

const SqlEditor = lazyPart(() => import('./sql-editor.tsx'), 'SqlEditor');

const DEFAULT_DAYS = 31;
const MOST_DAYS = 366;

/** The editor, the run of its statement, and the result. */
export function QueryPanel({ table, database }: { readonly table: string; readonly database: string }) {
  const { exports } = useAdminMessages().admin.operations;
  const examples = exampleQueries(table);
  const [text, setText] = useState({ sql: examples.days });
  const sql = useRef(text.sql);
  const [days, setDays] = useState(DEFAULT_DAYS);
  const query = useMutation({
    mutationFn: () =>
      parlance.api.post('/admin/exports/query', { body: { sql: sql.current, days: Number.isNaN(days) ? DEFAULT_DAYS : days } }),
  });
  const run = () => {
    if (!query.isPending) query.mutate();
  };
  const names = Object.keys(examples) as ExampleName[];
  return (
    <Section
      title={exports.query}
      description={exports.queryText(table, database)}
      actions={
        <Menu
          label={exports.examples}
          trigger={<Button size="small">{exports.examples}</Button>}
          entries={names.map((id) => ({ id, name: exports.example[id], onAction: () => setText({ sql: examples[id] }) }))}
        />
      }
    >
      <Suspense fallback={<Loading />}>
        <SqlEditor label={exports.editor} text={text} onChange={(typed) => (sql.current = typed)} onRun={run} />
      </Suspense>
      {query.isError && <QueryError error={query.error} />}
      <div className="flex flex-wrap items-end gap-3">
        <NumberField label={exports.days} value={days} onChange={setDays} minValue={1} maxValue={MOST_DAYS} step={1} className="w-24" />
        <Button look="primary" isPending={query.isPending} onPress={run}>
          <Play aria-hidden className="size-4" />
          {exports.run}
        </Button>
        <p className="grow basis-0 text-xs text-muted max-sm:hidden">
          {exports.daysHelp} {exports.editorHelp}
        </p>
      </div>
      <TableColumns />
      {query.isPending && <Loading label={exports.running} />}
      {query.data && !query.isPending && <QueryResult key={query.submittedAt} answer={query.data} />}
    </Section>
  );
}

/** The engine marks the position of an error below the line, so the message keeps its spaces. */
function QueryError({ error }: { readonly error: Error }) {
  const { exports } = useAdminMessages().admin.operations;
  if (!(error instanceof ParlanceError) || error.code !== 'sql_invalid') return <ErrorNote error={error} text={refusedFields(error)} />;
  return (
    <div role="alert" className="rounded-sm border border-bad p-3">
      <p className="text-sm font-medium text-bad">{exports.sqlError}</p>
      <pre className="font-mono text-xs whitespace-pre-wrap">{error.message}</pre>
    </div>
  );
}
