/** Options of `travel-sales examine`, as they were given. */
export interface ExamineOptions {
  demo?: boolean | string
  situation?: readonly string[]
  products?: readonly string[]
  exec?: string
  patience: number
  port: number
  statusPort: number
  client: string
  list?: boolean
  har?: boolean
  out?: string
  json?: boolean
}
