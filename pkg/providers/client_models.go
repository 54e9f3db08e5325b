package providers

import "context"

// Models asks for the provider's list of models, all its pages. body is the data of all pages in the first page's envelope.
func (c *Client) Models(ctx context.Context) (body []byte, models []Model, err error) {
	return nil, nil, nil
}
