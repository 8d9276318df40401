import { useComparisonMessages } from '../../../messages/comparison-messages.ts';
import { ShowArtifact } from '../artifacts/show-artifact.ts';
import type { Messages } from '../conversation/message-tree.ts';
import { ComparedReply } from './compared-reply.tsx';
import type { Comparison } from './comparisons.ts';

interface Props {
  readonly conversationId: string;
  readonly comparison: Comparison;
  readonly messages: Messages;
  readonly nameOf: (model: string) => string;
  readonly onChoose: (replyId: string, model: string) => void;
}

/** The replies of several models to one question, side by side, and on narrow pages one below the other. */
export function ComparisonView({ conversationId, comparison, messages, nameOf, onChoose }: Props) {
  const texts = useComparisonMessages();
  return (
    <section aria-label={texts.title} className="mx-auto w-full max-w-6xl px-6 pb-6 max-sm:px-4">
      <p className="mb-3 text-xs text-muted">{texts.choose}</p>
      {/* Only what the chat continues with is shown beside it. */}
      <ShowArtifact value={null}>
        <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))] gap-4">
          {comparison.models.map((each) => (
            <ComparedReply
              key={each.model}
              conversationId={conversationId}
              compared={each}
              message={each.replyId === null ? undefined : messages[each.replyId]}
              modelName={nameOf(each.model)}
              onChoose={onChoose}
            />
          ))}
        </ul>
      </ShowArtifact>
    </section>
  );
}
