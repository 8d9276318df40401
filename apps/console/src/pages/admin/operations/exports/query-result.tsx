import type { SqlAnswer } from '@parlance/client/types';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '../../../../api/save-file.ts';
import { formatNumber } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { useMessages } from '../../../../messages/index.ts';
import { Button } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Pager, Table } from '../../../../ui/table.tsx';
import { chartable, isNumeric } from './chart-data.ts';
import { ResultChart } from './result-chart.tsx';
import { shownNumber } from './shown-number.ts';
import { resultCsv } from './result-csv.ts';

/** The page holds the whole result, and shows this many rows at a time. */
const PAGE_ROWS = 100;
/** Cells are cut, because a cell may contain all messages of a conversation. */
const SHOWN_CHARACTERS = 300;

interface NumberedRow {
  readonly number: number;
  readonly cells: readonly unknown[];
}

export function QueryResult({ answer }: { readonly answer: SqlAnswer }) {
  const { common } = useMessages();
  const { exports } = useAdminMessages().admin.operations;
  const [first, setFirst] = useState(0);
  const { columns, rows, truncated } = answer;
  const chart = chartable(answer);
  const page: readonly NumberedRow[] = rows.slice(first, first + PAGE_ROWS).map((cells, at) => ({ number: first + at, cells }));
  const shown: readonly Column<NumberedRow>[] = columns.map(({ name, type }, index) => ({
    id: `${index} ${name}`,
    name,
    align: isNumeric(type) ? 'end' : 'start',
    cell: ({ cells }) => <Cell value={cells[index]} />,
  }));
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div role="status">
          <h3 className="text-sm font-semibold">{common.named(exports.result, exports.resultOf(rows.length))}</h3>
          {truncated && <p className="text-xs text-warn">{exports.truncated}</p>}
        </div>
        {rows.length > 0 && (
          <Button size="small" onPress={() => saveFile(new Blob([resultCsv(answer)], { type: 'text/csv' }), 'query.csv')}>
            <Download aria-hidden className="size-4" />
            {exports.csv}
          </Button>
        )}
      </div>
      {chart && <ResultChart answer={answer} chart={chart} />}
      <Table
        label={exports.result}
        columns={shown}
        rows={page}
        keyOf={({ number }) => String(number)}
        empty={<EmptyState title={exports.noRows} text={exports.noRowsText} />}
      />
      {rows.length > PAGE_ROWS && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p role="status" className="text-xs text-muted">
            {exports.shown(formatNumber(first + 1), formatNumber(first + page.length), formatNumber(rows.length))}
          </p>
          <Pager
            hasPrevious={first > 0}
            hasNext={first + PAGE_ROWS < rows.length}
            onPrevious={() => setFirst(first - PAGE_ROWS)}
            onNext={() => setFirst(first + PAGE_ROWS)}
          />
        </div>
      )}
    </div>
  );
}

function Cell({ value }: { readonly value: unknown }) {
  const { exports } = useAdminMessages().admin.operations;
  if (value === null || value === undefined) return <span className="text-muted">{exports.null}</span>;
  if (typeof value === 'number') return <span className="whitespace-nowrap">{shownNumber(value)}</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return <span className="block max-w-md">{text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)} …` : text}</span>;
}
