import { useQuery } from '@tanstack/react-query';
import { BookX } from 'lucide-react';
import { useMessages } from '../../../messages/index.ts';
import { memorySettingsQuery } from '../../account/memory/memory-queries.ts';
import { ChoiceToggle } from './choices.tsx';

interface Props {
  readonly isSelected: boolean;
  readonly onChange: (isWithout: boolean) => void;
}

/** For users whose memory is on: a chat that does not use it. Shown to those who write, so that opening the page needs no further request. */
export function WithoutMemoryToggle(props: Props) {
  const { chat } = useMessages();
  const { data } = useQuery(memorySettingsQuery);
  if (!data?.enabled || !data.allowed) return null;
  return (
    <ChoiceToggle icon={BookX} {...props}>
      {chat.withoutMemory}
    </ChoiceToggle>
  );
}
