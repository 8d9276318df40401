import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Select } from '../../../../ui/fields/index.ts';
import { DAY_COUNTS, type DayCount } from '../search.ts';

interface Props {
  readonly days: DayCount;
  readonly onChoose: (days: DayCount) => unknown;
}

/** How many days the figures of a page are for, up to today. */
export function DaysChoice({ days, onChoose }: Props) {
  const { bots: texts } = useAdminMessages().admin.people;
  return (
    <Select
      label={texts.days}
      isLabelHidden
      className="w-48"
      value={days}
      onChange={(chosen: DayCount) => void onChoose(chosen)}
      options={DAY_COUNTS.map((id) => ({ id, name: texts.lastDays(Number(id)) }))}
    />
  );
}
