import { buttonLink } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';

export const LIST_PATH = '/dashboard/operator/imports';
export const MAPPINGS_PATH = `${LIST_PATH}/mappings`;
export const SAMPLE_PATH = `${LIST_PATH}/sample.csv`;
export const UPLOAD_PATH = `${LIST_PATH}/new`;

/** The link to the upload, beside the heading of the list. */
export const uploadLink: Html = buttonLink(UPLOAD_PATH, 'Upload a file');
