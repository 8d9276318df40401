import type { charts as English } from '../en/charts.ts';

/** Texts of the charts in ui/charts. */
export const charts: typeof English = {
  day: '날짜',
  showTable: '표로 보기',
  showChart: '차트로 보기',
  noDays: '이 기간에는 기록이 없습니다.',
};
