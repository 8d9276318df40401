import type { Model } from '@parlance/client/types';
import { CircleCheck } from 'lucide-react';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { Button, LinkButton } from '../../../../../ui/button.tsx';
import { ModelTest } from '../model-test.tsx';
import { isForChat } from './connected-models.ts';

/** The model is connected: a chat with it, and a test. */
export function Done({ model, onAgain }: { readonly model: Model; readonly onAgain: () => void }) {
  const { connect } = useAdminMessages().admin.operations;
  const isChatting = isForChat(model);
  const note = !isChatting ? connect.notForChat : model.available ? connect.doneText : connect.notOffered;
  return (
    <section className="flex flex-col gap-4 rounded-md border border-ok bg-raised p-5 max-sm:p-4">
      <div role="status" className="flex gap-3">
        <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-ok" />
        <div className="min-w-0">
          <h2 className="text-md font-semibold">{connect.done(model.name)}</h2>
          <p className="text-sm">{note}</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {model.available && isChatting && (
          <LinkButton look="primary" href={`/?${new URLSearchParams({ model: model.id })}`} autoFocus>
            {connect.chatWith}
          </LinkButton>
        )}
        <Button look="quiet" onPress={onAgain}>
          {connect.again}
        </Button>
      </div>
      <ModelTest model={model} />
    </section>
  );
}
