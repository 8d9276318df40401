import type { RetentionRule } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isStale } from '../../../../api/form-errors.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { NumberField, Select } from '../../../../ui/fields/index.ts';
import { toast } from '../../../../ui/toasts.tsx';
import { SubjectPicker } from '../budgets/subject-picker.tsx';

type Kind = RetentionRule['kind'];
type Scope = RetentionRule['applies_to'];

const KINDS: readonly Kind[] = ['conversations', 'uploads', 'exports'];
const SCOPES: readonly Scope[] = ['all', 'bot', 'group'];
const MOST_DAYS = 3_650;

interface RuleDialogProps {
  /** Null to create a rule. */
  readonly rule: RetentionRule | null;
  /** Title of the bot, or its ID. */
  readonly botName: string;
  readonly onClose: () => void;
  /** Called with the saved rule, which is disabled until its effect is confirmed. */
  readonly onSaved: (rule: RetentionRule) => void;
}

/** Creates or changes a rule. It deletes nothing until the user has seen how many conversations it would delete. */
export function RuleDialog({ rule, botName, onClose, onSaved }: RuleDialogProps) {
  const { common, admin } = useAdminMessages();
  const { retention } = admin.operations;
  const client = useQueryClient();
  const [kind, setKind] = useState<Kind>(rule?.kind ?? 'conversations');
  const [chosen, setScope] = useState<Scope>(rule?.applies_to ?? 'all');
  const scope = kind === 'exports' ? 'all' : chosen;
  const [bot, setBot] = useState({ text: botName, id: rule?.bot_id ?? '' });
  const [group, setGroup] = useState(rule?.group ?? '');
  const [days, setDays] = useState(rule?.inactive_days ?? Number.NaN);

  const terms = {
    inactive_days: days,
    applies_to: scope,
    ...(scope === 'bot' && { bot_id: bot.id }),
    ...(scope === 'group' && { group }),
    enabled: false,
  };
  const reread = () => client.invalidateQueries({ queryKey: ['admin', 'retention'] });
  const send = async () => {
    // The server accepts any group name, and a rule with a mistyped one would delete nothing.
    if (scope === 'group' && group !== rule?.group) await parlance.api.get('/admin/groups/{name}', { path: { name: group } });
    return rule === null
      ? parlance.api.post('/admin/retention', { body: { kind, ...terms } })
      : parlance.api.patch('/admin/retention/{ruleId}', { path: { ruleId: rule.id }, body: terms, ifMatch: rule.etag });
  };
  const save = async () => {
    const saved = await send().catch(async (error: unknown) => {
      if (!isStale(error)) throw error;
      // Another administrator has changed it: reload the list below the dialog.
      await reread();
      throw new Error(retention.stale, { cause: error });
    });
    await reread();
    toast(retention.saved);
    onClose();
    onSaved(saved);
  };
  const needsDays = !(days >= 1 && days <= MOST_DAYS);
  const needsBot = scope === 'bot' && bot.id === '';
  const needsGroup = scope === 'group' && group === '';

  return (
    <FormDialog
      title={rule === null ? retention.createTitle : retention.changeTitle}
      onClose={onClose}
      submitLabel={rule === null ? common.create : common.save}
      onSubmit={save}
      isComplete={!needsDays && !needsBot && !needsGroup}
    >
      {({ errorOf, isChecked }) => (
        <>
          <p className="text-sm">{rule === null ? retention.createText : retention.changeText}</p>
          {rule === null && (
            <Select
              label={retention.kind}
              help={retention.kindsHelp}
              value={kind}
              onChange={setKind}
              options={KINDS.map((id) => ({ id, name: retention.kinds[id] }))}
              error={errorOf('kind')}
            />
          )}
          {kind !== 'exports' && (
            <Select
              label={retention.appliesTo}
              help={kind === 'uploads' ? retention.scopesHelpForFiles : retention.scopesHelp}
              value={scope}
              onChange={setScope}
              options={SCOPES.map((id) => ({ id, name: retention.scopes[id] }))}
              error={errorOf('applies_to')}
            />
          )}
          {scope === 'bot' && (
            <SubjectPicker
              kind="bot"
              help={retention.botHelp}
              text={bot.text}
              onChange={(text, id) => setBot({ text, id })}
              error={errorOf('bot_id') !== undefined || (isChecked && needsBot) ? retention.missingBot : undefined}
            />
          )}
          {scope === 'group' && (
            <SubjectPicker
              kind="group"
              label={retention.group}
              help={retention.groupHelp}
              text={group}
              onChange={(_text, name) => setGroup(name)}
              error={errorOf('group') ?? (isChecked && needsGroup ? retention.missingGroup : undefined)}
            />
          )}
          <NumberField
            label={{ conversations: retention.days, uploads: retention.daysOfUploads, exports: retention.daysOfExports }[kind]}
            help={retention.daysHelp}
            value={days}
            onChange={setDays}
            minValue={1}
            maxValue={MOST_DAYS}
            formatOptions={{ maximumFractionDigits: 0 }}
            error={errorOf('inactive_days') ?? (isChecked && needsDays ? retention.daysMissing : undefined)}
          />
        </>
      )}
    </FormDialog>
  );
}
