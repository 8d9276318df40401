import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { formatNumber, formatPrice } from '../../../../../messages/format.ts';
import { Button, LinkButton } from '../../../../../ui/button.tsx';
import { Tag } from '../../../../../ui/tag.tsx';
import type { AvailableModel } from '../model-fields/model-draft.ts';

interface AvailableModelRowProps {
  readonly model: AvailableModel;
  /** The ID of the model with which a chat can begin, if the catalogue has it. */
  readonly chatId: string | undefined;
  readonly isChosen: boolean;
  readonly onChosen: () => void;
}

/** A model that a provider offers. One that the catalogue already has leads to a chat instead. */
export function AvailableModelRow({
  model: { model, name, context_window, model_ids, suggestion },
  chatId,
  isChosen,
  onChosen,
}: AvailableModelRowProps) {
  const { connect, models } = useAdminMessages().admin.operations;
  const shownName = suggestion?.name ?? name ?? model;
  const tokens = suggestion?.context_window ?? context_window;
  const price = suggestion?.prices.at(-1);
  const facts = [
    ...(shownName === model ? [] : [model]),
    ...(tokens === null ? [] : [models.tokens(formatNumber(tokens))]),
    ...(price ? [`${formatPrice(price.input)} / ${formatPrice(price.output)}`] : []),
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-2 last:border-0">
      <span className="flex min-w-0 grow basis-48 flex-col">
        <span className="text-sm font-medium break-words">{shownName}</span>
        {facts.length > 0 && <span className="text-xs break-words text-muted">{facts.join(' · ')}</span>}
      </span>
      {model_ids.length === 0 ? (
        <Button
          size="small"
          look={isChosen ? 'primary' : 'secondary'}
          aria-label={connect.chooseOf(shownName)}
          aria-pressed={isChosen}
          onPress={onChosen}
        >
          {connect.choose}
        </Button>
      ) : (
        <>
          <Tag tone="ok">{connect.connected}</Tag>
          {chatId !== undefined && (
            <LinkButton size="small" href={`/?${new URLSearchParams({ model: chatId })}`} aria-label={connect.chatWithOf(shownName)}>
              {connect.chatWith}
            </LinkButton>
          )}
        </>
      )}
    </li>
  );
}
