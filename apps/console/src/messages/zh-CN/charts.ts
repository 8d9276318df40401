import type { charts as English } from '../en/charts.ts';

export const charts: typeof English = {
  day: '日期',
  showTable: '显示为表格',
  showChart: '显示为图表',
  noDays: '此时间段内没有记录。',
};
