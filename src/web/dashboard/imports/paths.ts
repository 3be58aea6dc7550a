export const LIST_PATH = '/dashboard/operator/imports';
export const MAPPINGS_PATH = `${LIST_PATH}/mappings`;
export const SAMPLE_PATH = `${LIST_PATH}/sample.csv`;
export const UPLOAD_PATH = `${LIST_PATH}/new`;
