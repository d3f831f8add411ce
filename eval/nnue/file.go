package nnue

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A file is zstd of: the magic word, the version, the name of the game (a length and its
// bytes), the numbers of the Net in their order, little-endian, and the CRC-32 of it all.
const (
	magic   = "tengen network\n"
	version = 2
	maxFile = 16 << 20 // bytes, unpacked
)

// Write writes the network of a game.
func (n *Net) Write(to io.Writer, game string) error {
	if len(game) > 255 {
		return errors.New("the name of the game is too long")
	}
	var raw bytes.Buffer
	raw.WriteString(magic)
	raw.WriteByte(version)
	raw.WriteByte(byte(len(game)))
	raw.WriteString(game)
	if err := binary.Write(&raw, binary.LittleEndian, n); err != nil {
		return err
	}
	raw.Write(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(raw.Bytes())))
	enc, err := zstd.NewWriter(to, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	if _, err := enc.Write(raw.Bytes()); err != nil {
		return err
	}
	return enc.Close()
}

// Read reads what Write wrote, and says what is wrong with anything else.
func Read(from io.Reader) (n *Net, game string, err error) {
	dec, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxFile))
	if err != nil {
		return nil, "", err
	}
	defer dec.Close()
	raw, err := io.ReadAll(io.LimitReader(dec, maxFile))
	if err != nil {
		return nil, "", fmt.Errorf("not a network: %w", err)
	}
	rest, ok := bytes.CutPrefix(raw, []byte(magic))
	switch {
	case !ok || len(rest) < 6:
		return nil, "", errors.New("not a network")
	case rest[0] != version:
		return nil, "", fmt.Errorf("a network of version %d; this program reads version %d", rest[0], version)
	}
	body := raw[:len(raw)-4]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(raw[len(raw)-4:]) {
		return nil, "", errors.New("a damaged network: its checksum is wrong")
	}
	k := int(rest[1])
	rest = rest[2 : len(rest)-4]
	n = new(Net)
	if len(rest) != k+binary.Size(n) {
		return nil, "", fmt.Errorf("a network of %d bytes, not of %d", len(rest)-k, binary.Size(n))
	}
	game = string(rest[:k])
	if err := binary.Read(bytes.NewReader(rest[k:]), binary.LittleEndian, n); err != nil {
		return nil, "", err
	}
	return n, game, n.check()
}

// check refuses numbers with which the sums could leave their words.
func (n *Net) check() error {
	for i := range n.Rows {
		for j, v := range n.Rows[i] {
			if v < Never || v > -Never || n.Bias[j] < Never || n.Bias[j] > -Never {
				return errors.New("a network with a row out of range")
			}
		}
	}
	for j := range n.Bias {
		most := 0
		for i, full := range [4]int{One << pointShift, 4 * One << pointShift, 4 * One << pointShift, 1 << 15} {
			w := int(n.Kernel[i][j])
			most += max(w, -w)*full>>15 + 1
		}
		if most > bound {
			return errors.New("a network with a kernel out of range")
		}
	}
	for s := range n.Head {
		h := &n.Head[s]
		for u := range Hidden {
			if h.Out[u] > 1<<16 || h.Out[u] < -1<<16 {
				return errors.New("a network with a weight out of range")
			}
			for k := range h.In {
				// Up to 400 points, each at One, of every input.
				if a, b := int(h.In[k][u][0]), int(h.In[k][u][1]); a > 4000 || a < -4000 || b > 4000 || b < -4000 {
					return errors.New("a network with a weight out of range")
				}
			}
			for t := range h.Threat {
				if v := h.Threat[t][u]; v > 1<<28 || v < -1<<28 {
					return errors.New("a network with a bias out of range")
				}
			}
		}
	}
	return nil
}
