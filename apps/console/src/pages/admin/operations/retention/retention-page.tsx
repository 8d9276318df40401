import type { RetentionRule } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState, Loaded } from '../../../../ui/states.tsx';
import { Table } from '../../../../ui/table.tsx';
import { toast, toastError } from '../../../../ui/toasts.tsx';
import { useNames } from '../use-names.ts';
import { EnableDialog } from './enable-dialog.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { useRuleColumns } from './rule-columns.tsx';

export function RetentionPage() {
  const { admin, common } = useAdminMessages();
  const { retention } = admin.operations;
  const client = useQueryClient();
  /** The rule in the dialog: null for a new rule, undefined while the dialog is closed. */
  const [edited, setEdited] = useState<RetentionRule | null | undefined>(undefined);
  const [enabling, setEnabling] = useState<RetentionRule | null>(null);
  const [removing, setRemoving] = useState<RetentionRule | null>(null);
  const query = useQuery({
    queryKey: ['admin', 'retention'],
    queryFn: ({ signal }) => parlance.api.get('/admin/retention', { signal }),
  });
  const names = useNames({ users: [], bots: query.data?.rules.some(({ bot_id }) => bot_id !== null) ?? false });
  const subjectOf = ({ kind, applies_to, bot_id, group }: RetentionRule) =>
    kind === 'exports' ? retention.allExports : (group ?? (bot_id === null ? retention.scopes[applies_to] : (names.get(bot_id) ?? bot_id)));
  const nameOf = (rule: RetentionRule) => {
    const subject = subjectOf(rule);
    return retention.ruleOf(rule.kind === 'uploads' ? retention.filesOf(subject) : subject, rule.inactive_days);
  };
  const refetchRules = () => client.invalidateQueries({ queryKey: ['admin', 'retention'] });

  const disable = async ({ id }: RetentionRule) => {
    await parlance.api.patch('/admin/retention/{ruleId}', { path: { ruleId: id }, body: { enabled: false } });
    await refetchRules();
    toast(retention.disabledNow);
  };
  const remove = async ({ id }: RetentionRule) => {
    await parlance.api.delete('/admin/retention/{ruleId}', { path: { ruleId: id } });
    await refetchRules();
    toast(retention.removed);
  };
  const columns = useRuleColumns({
    names,
    nameOf,
    onEnable: setEnabling,
    onDisable: (rule) => void disable(rule).catch(toastError),
    onChange: setEdited,
    onRemove: setRemoving,
  });

  return (
    <Page
      title={retention.title}
      description={retention.description}
      isWide
      actions={
        <>
          <CsvButton onDownload={() => downloadCsv('/admin/retention', {}, 'retention-rules.csv')} />
          <Button look="primary" onPress={() => setEdited(null)}>
            <Plus aria-hidden className="size-4" />
            {retention.create}
          </Button>
        </>
      }
    >
      <Loaded query={query}>
        {({ rules }) => (
          <Table
            label={retention.title}
            columns={columns}
            rows={rules}
            keyOf={({ id }) => id}
            empty={<EmptyState title={retention.emptyTitle} text={retention.emptyText} />}
          />
        )}
      </Loaded>
      {edited !== undefined && (
        <RuleDialog
          rule={edited}
          botName={edited?.bot_id == null ? '' : subjectOf(edited)}
          onClose={() => setEdited(undefined)}
          onSaved={setEnabling}
        />
      )}
      {enabling && <EnableDialog rule={enabling} name={nameOf(enabling)} onClose={() => setEnabling(null)} />}
      {removing && (
        <ConfirmDialog
          title={retention.removeTitle}
          text={retention.removeText(nameOf(removing))}
          confirmLabel={common.remove}
          isOpen
          onClose={() => setRemoving(null)}
          onConfirm={() => remove(removing)}
        />
      )}
    </Page>
  );
}
