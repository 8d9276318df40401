import type { BotConfiguration } from '@parlance/client/types';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { Loaded } from '../../../ui/states.tsx';
import { changesBetween, type FieldChange } from './field-changes.ts';
import { folded } from './line-diff.ts';

interface ComparisonProps {
  readonly botId: string;
  readonly from: number;
  readonly to: number;
}

/** A version never changes. */
const versionQuery = (botId: string, version: number) =>
  queryOptions({
    queryKey: ['bot', botId, 'version', version],
    queryFn: (): Promise<BotConfiguration> =>
      parlance.api.get('/bot/{botId}/history/{version}', { path: { botId, version: String(version) } }),
    staleTime: Infinity,
  });

export function Comparison({ botId, from, to }: ComparisonProps) {
  const before = useQuery(versionQuery(botId, from));
  const after = useQuery(versionQuery(botId, to));
  return <Loaded query={before}>{(a) => <Loaded query={after}>{(b) => <Changes changes={changesBetween(a, b)} />}</Loaded>}</Loaded>;
}

function Changes({ changes }: { readonly changes: readonly FieldChange[] }) {
  const { history } = useMessages().bots;
  if (changes.length === 0) return <p className="text-sm text-muted">{history.same}</p>;
  return (
    <div className="flex flex-col gap-4">
      {changes.map(({ field, lines }) => (
        <section key={field} className="flex flex-col gap-1">
          <h3 className="text-sm font-semibold">{history.fields[field]}</h3>
          {lines === null ? (
            <p className="text-sm text-muted">{field === 'picture' ? history.otherPicture : history.tooLong}</p>
          ) : (
            <ol
              className="max-h-96 overflow-auto rounded-sm border border-line bg-code py-2 font-mono text-xs"
              tabIndex={0}
              role="list"
              aria-label={history.fields[field]}
            >
              {folded(lines).map((line, index) => (
                <Line key={index} line={line} />
              ))}
            </ol>
          )}
        </section>
      ))}
    </div>
  );
}

const LOOKS = { same: 'text-text', removed: 'text-bad', added: 'text-ok' };
const SIGNS = { same: ' ', removed: '−', added: '+' };

function Line({ line }: { readonly line: ReturnType<typeof folded>[number] }) {
  const { history } = useMessages().bots;
  if (line.kind === 'folded') return <li className="px-3 text-muted">{history.unchangedLines(line.count)}</li>;
  return (
    <li className={`flex gap-2 px-3 whitespace-pre-wrap ${LOOKS[line.kind]}`}>
      <span aria-hidden className="shrink-0 select-none">
        {SIGNS[line.kind]}
      </span>
      {line.kind !== 'same' && <span className="sr-only">{line.kind === 'added' ? history.addedLine : history.removedLine}: </span>}
      <span className="min-w-0">{line.text}</span>
    </li>
  );
}
