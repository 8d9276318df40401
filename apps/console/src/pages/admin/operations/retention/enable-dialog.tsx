import type { RetentionPreview, RetentionRule } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isStale } from '../../../../api/form-errors.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { Loaded, Loading } from '../../../../ui/states.tsx';
import { toast } from '../../../../ui/toasts.tsx';

interface EnableDialogProps {
  readonly rule: RetentionRule;
  readonly name: string;
  readonly onClose: () => void;
}

/** Counts what a rule would delete now, and enables the rule after the user has confirmed the number. */
export function EnableDialog({ rule, name, onClose }: EnableDialogProps) {
  const { retention } = useAdminMessages().admin.operations;
  const client = useQueryClient();
  const path = { ruleId: rule.id };
  const preview = useQuery({
    queryKey: ['admin', 'retention-preview', rule.id],
    queryFn: ({ signal }) => parlance.api.get('/admin/retention/{ruleId}/preview', { path, signal }),
    // The number must not change while the user reads it. The next dialog counts again.
    staleTime: Infinity,
    gcTime: 0,
  });
  const enable = async () => {
    try {
      // The number belongs to this version of the rule. A newer version may delete more.
      await parlance.api.patch('/admin/retention/{ruleId}', { path, body: { enabled: true }, ifMatch: rule.etag });
    } catch (error) {
      throw isStale(error) ? new Error(retention.stale, { cause: error }) : error;
    } finally {
      await client.invalidateQueries({ queryKey: ['admin', 'retention'] });
    }
    toast(retention.enabledNow);
    onClose();
  };
  const confirmLabel = (counted: RetentionPreview | undefined) => {
    if (counted === undefined || counted.conversations + counted.exports + counted.uploads === 0) return retention.enable;
    const files = counted.exports + counted.uploads;
    if (files > 0) return counted.is_complete ? retention.enableAndRemove(files) : retention.enableAndRemoveMore(files);
    return counted.is_complete ? retention.enableAndDelete(counted.conversations) : retention.enableAndDeleteMore(counted.conversations);
  };
  return (
    <FormDialog
      title={retention.enableTitle}
      onClose={onClose}
      submitLabel={confirmLabel(preview.data)}
      onSubmit={enable}
      isDisabled={preview.data === undefined}
      look="danger"
    >
      <p className="font-medium">{name}</p>
      {preview.isPending ? (
        <Loading label={retention.counting} />
      ) : (
        <Loaded query={preview}>
          {(counted) => (
            <p role="status">
              {countText(rule.kind, counted, retention)} {counted.responses > 0 && retention.wouldDeleteResponses(counted.responses)}
            </p>
          )}
        </Loaded>
      )}
      <p className="text-sm text-muted">
        {whatStays(rule.kind, retention)} {retention.keptDisabled}
      </p>
    </FormDialog>
  );
}

type Texts = ReturnType<typeof useAdminMessages>['admin']['operations']['retention'];

function countText(kind: RetentionRule['kind'], counted: RetentionPreview, texts: Texts): string {
  const { conversations, exports, uploads, is_complete } = counted;
  switch (kind) {
    case 'exports':
      return exports === 0 ? texts.wouldRemoveNoExports : texts.wouldRemoveExports(exports);
    case 'uploads':
      if (!is_complete) return texts.wouldRemoveMore(uploads);
      return uploads === 0 ? texts.wouldRemoveNoUploads : texts.wouldRemoveExports(uploads);
    case 'conversations':
      if (!is_complete) return texts.wouldDeleteMore(conversations);
      return conversations === 0 ? texts.wouldDeleteNone : texts.wouldDelete(conversations);
  }
}

function whatStays(kind: RetentionRule['kind'], texts: Texts): string {
  return { exports: texts.exportsAreWritten, uploads: texts.uploadsAreGone, conversations: texts.cannotBeUndone }[kind];
}
