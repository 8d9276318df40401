import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/index.ts';
import { Button } from './button.tsx';

export interface Column<Row> {
  readonly id: string;
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'start' | 'end';
  /** Whether the server can sort by this column. */
  readonly isSortable?: boolean;
  readonly isNameHidden?: boolean;
}

interface Sorting {
  readonly by: string;
  readonly order: 'asc' | 'desc';
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sorting?: Sorting | undefined;
  readonly onSort?: (sorting: Sorting) => void;
  /** On phones each row is a card: its first cell above the others, the last one at the end. Otherwise the table scrolls sideways. */
  readonly hasCards?: boolean;
  /** Shown if there are no rows. */
  readonly empty?: ReactNode;
}

const CARD = 'max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-3 max-sm:gap-y-1 max-sm:p-3';
const CELL_OF_CARD = 'max-sm:min-w-0 max-sm:p-0 max-sm:first:basis-full max-sm:last:ms-auto';

/** A table of rows that the server sorts and pages. It scrolls sideways if it is wider than the page. */
export function Table<Row>({ label, columns, rows, keyOf, sorting, onSort, hasCards = false, empty }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    <div
      className="relative shrink-0 overflow-x-auto rounded-md border border-line bg-raised"
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <table className={`w-full border-collapse text-sm ${hasCards ? 'max-sm:block' : ''}`}>
        <thead className={hasCards ? 'max-sm:hidden' : ''}>
          <tr className="border-b border-line text-start text-xs text-muted">
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                aria-sort={sorting?.by === column.id ? (sorting.order === 'asc' ? 'ascending' : 'descending') : undefined}
                className={`px-3 py-2 font-medium whitespace-nowrap ${column.align === 'end' ? 'text-end' : 'text-start'}`}
              >
                <Head column={column} sorting={sorting} onSort={onSort} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={hasCards ? 'max-sm:block' : ''}>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={`border-b border-line last:border-0 hover:bg-surface ${hasCards ? CARD : ''}`}>
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={`min-w-24 px-3 py-2 align-middle ${hasCards ? CELL_OF_CARD : ''} ${column.align === 'end' ? 'text-end whitespace-nowrap tabular-nums' : ''}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>({ column, sorting, onSort }: { column: Column<Row> } & Pick<TableProps<Row>, 'sorting' | 'onSort'>) {
  if (column.isNameHidden) return <span className="sr-only">{column.name}</span>;
  if (!column.isSortable || !onSort) return column.name;
  const isCurrent = sorting?.by === column.id;
  const Arrow = sorting?.order === 'asc' ? ArrowUp : ArrowDown;
  const sort = () => onSort({ by: column.id, order: isCurrent && sorting.order === 'desc' ? 'asc' : 'desc' });
  return (
    <button
      type="button"
      onClick={sort}
      className="inline-flex min-h-8 cursor-pointer items-center gap-1 font-medium hover:text-text max-sm:min-h-11"
    >
      {column.name}
      {isCurrent && <Arrow aria-hidden className="size-3.5" />}
    </button>
  );
}

export interface PagerProps {
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly onPrevious: () => void;
  readonly onNext: () => void;
}

/** Links to the next and the previous page. The server's tokens lead only forward, so earlier pages come from the browser's history. */
export function Pager({ hasPrevious, hasNext, onPrevious, onNext }: PagerProps) {
  const { common } = useMessages();
  if (!hasPrevious && !hasNext) return null;
  return (
    <div className="flex justify-end gap-2">
      <Button size="small" isDisabled={!hasPrevious} onPress={onPrevious}>
        {common.previous}
      </Button>
      <Button size="small" isDisabled={!hasNext} onPress={onNext}>
        {common.next}
      </Button>
    </div>
  );
}
