import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, formError } from '../../../../api/query-client.ts';
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
  const [isChecked, setChecked] = useState(false);
  const placing = useMutation({
    mutationFn: () =>
      parlance.api.post('/admin/holds', {
        body: { reason: reason.trim(), ...(kind === 'user' ? { user_id: subject.id } : { bot_id: subject.id }) },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['admin', 'holds'] });
      toast(holds.placedNow);
      onClose();
    },
  });
  const needsSubject = subject.id === '';
  const needsReason = reason.trim() === '';
  const place = () => {
    setChecked(true);
    if (!needsSubject && !needsReason) placing.mutate();
  };
  const errors = fieldErrors(placing.error);
  return (
    <FormDialog
      title={holds.createTitle}
      onClose={onClose}
      submitLabel={holds.place}
      onSubmit={place}
      isPending={placing.isPending}
      error={formError(placing.error)}
      noValidate
    >
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
        error={errors[`${kind}_id`] ?? (isChecked && needsSubject ? holds.missing : undefined)}
      />
      <TextField
        label={holds.reason}
        help={holds.reasonHelp}
        rows={3}
        maxLength={LONGEST_REASON}
        value={reason}
        onChange={setReason}
        error={errors['reason'] ?? (isChecked && needsReason ? holds.reasonMissing : undefined)}
      />
    </FormDialog>
  );
}
