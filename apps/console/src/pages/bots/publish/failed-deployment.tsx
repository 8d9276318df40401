import type { Bot, Publication } from '@parlance/client/types';
import { useState } from 'react';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { Section } from '../../../ui/page.tsx';
import { toastError } from '../../../ui/toasts.tsx';
import { botTouched } from '../bot-queries.ts';
import { PublishForm } from './publish-form.tsx';

export function FailedDeployment({ bot, publication }: { readonly bot: Bot; readonly publication: Publication }) {
  const { publish } = useMessages().bots;
  const [isPending, setPending] = useState(false);
  const remove = async () => {
    setPending(true);
    try {
      await parlance.bots.unpublish(bot.id);
      await botTouched(bot.id);
    } catch (error) {
      toastError(error);
      setPending(false);
    }
  };
  return (
    <>
      <Section title={publish.failed} description={publish.failedText}>
        {publication.codebuild_status_reason !== null && (
          <p role="alert" className="rounded-sm border border-bad p-3 text-sm">
            {publication.codebuild_status_reason}
          </p>
        )}
        <Button className="self-start" isPending={isPending} onPress={() => void remove()}>
          {publish.removeFailed}
        </Button>
      </Section>
      <PublishForm bot={bot} />
    </>
  );
}
