import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Facts } from '../../../../ui/facts.tsx';

/** The columns of the table of exports, folded. */
export function TableColumns() {
  const { exports } = useAdminMessages().admin.operations;
  return (
    <details className="text-sm">
      <summary className="cursor-pointer py-1 text-xs text-muted hover:text-text max-sm:py-3">{exports.columns}</summary>
      <div className="pt-2">
        <Facts
          facts={Object.entries(exports.columnTexts).map(([name, text]) => [
            name,
            <span key={name} className="text-muted">
              {text}
            </span>,
          ])}
        />
      </div>
    </details>
  );
}
