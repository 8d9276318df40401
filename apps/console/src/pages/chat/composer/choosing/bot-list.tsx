import type { RefObject } from 'react';
import { useBotChoiceMessages } from '../../../../messages/bot-choice-messages.ts';
import { BotIcon } from '../../../bots/icon/bot-icon.tsx';
import { BotMarks } from '../../../bots/shelf/bot-marks.tsx';
import type { ShelfBot } from '../../../bots/shelf/shelf.ts';
import { ChoiceList, ChoiceText } from './choice-list.tsx';
import { useMatchingBots } from './use-matching-bots.ts';

interface Props {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly query: string;
  readonly onChoose: (bot: ShelfBot) => void;
  readonly onDismiss: () => void;
}

/** The bots that match the name in the message field. */
export function BotList({ query, ...props }: Props) {
  const texts = useBotChoiceMessages();
  const { bots, isSearching } = useMatchingBots(query);
  const status = bots.length > 0 ? texts.found(bots.length) : isSearching ? texts.searching : query === '' ? texts.noBots : texts.noMatch;
  return (
    <ChoiceList
      {...props}
      query={query}
      items={bots}
      isSearching={isSearching}
      label={texts.listLabel}
      status={status}
      hint={texts.startsChat}
    >
      {(bot) => (
        <>
          <BotIcon bot={bot} />
          <ChoiceText name={bot.title} description={bot.description} />
          <BotMarks bot={bot} />
        </>
      )}
    </ChoiceList>
  );
}
