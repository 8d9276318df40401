import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { Select, TextField } from '../../../../ui/fields/index.ts';
import { toast } from '../../../../ui/toasts.tsx';
import { SubjectPicker } from '../budgets/subject-picker.tsx';

type Kind = 'user' | 'bot';

const KINDS: readonly Kind[] = ['user', 'bot'];
const LONGEST_REASON = 1_000;
const NOTHING = { text: '', id: '' };

/** Places a hold on a user or a bot. */
export function HoldDialog({ onClose }: { readonly onClose: () => void }) {
  const { holds } = useAdminMessages().admin.operations;
  const client = useQueryClient();
  const [kind, setKind] = useState<Kind>('user');
  const [subject, setSubject] = useState(NOTHING);
  const [reason, setReason] = useState('');
  const place = async () => {
    const body = { reason: reason.trim(), ...(kind === 'user' ? { user_id: subject.id } : { bot_id: subject.id }) };
    await parlance.api.post('/admin/holds', { body });
    await client.invalidateQueries({ queryKey: ['admin', 'holds'] });
    toast(holds.placedNow);
    onClose();
  };
  const needsSubject = subject.id === '';
  const needsReason = reason.trim() === '';
  return (
    <FormDialog
      title={holds.createTitle}
      onClose={onClose}
      submitLabel={holds.place}
      onSubmit={place}
      isComplete={!needsSubject && !needsReason}
    >
      {({ errorOf, isChecked }) => (
        <>
          <Select
            label={holds.kind}
            value={kind}
            onChange={(next) => {
              setKind(next);
              setSubject(NOTHING);
            }}
            options={KINDS.map((id) => ({ id, name: holds.kinds[id] }))}
          />
          <SubjectPicker
            kind={kind}
            help={kind === 'user' ? holds.userHelp : holds.botHelp}
            text={subject.text}
            onChange={(text, id) => setSubject({ text, id })}
            error={errorOf(`${kind}_id`) !== undefined || (isChecked && needsSubject) ? holds.missing : undefined}
          />
          <TextField
            label={holds.reason}
            help={holds.reasonHelp}
            rows={3}
            maxLength={LONGEST_REASON}
            value={reason}
            onChange={setReason}
            error={errorOf('reason') ?? (isChecked && needsReason ? holds.reasonMissing : undefined)}
          />
        </>
      )}
    </FormDialog>
  );
}
